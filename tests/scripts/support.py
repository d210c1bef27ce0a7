"""What the tests of the scripts share."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"


def write_program(path, body):
    """Write an executable bash script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/bash\n" + body, encoding="utf-8")
    path.chmod(0o755)


def run(command, cwd=None, **environment):
    """Run a command, without input; returns the finished process with its output as text."""
    return subprocess.run([str(word) for word in command], cwd=cwd, text=True, timeout=100,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env={**os.environ, **environment})
