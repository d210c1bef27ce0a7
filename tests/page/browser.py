"""Chromium without a window, driven through its DevTools protocol over a pipe: no driver, no port, nothing to install
but the browser."""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser():
    """The program, or an AssertionError that says what to install: a test in no browser has not passed."""
    wanted = os.environ.get("DELTAPROOF_BROWSER")
    for name in (wanted,) if wanted else NAMES:
        if path := shutil.which(name):
            return path
    raise AssertionError(f"no {' or '.join((wanted,) if wanted else NAMES)} on PATH. Debian: apt install chromium; "
                         "Ubuntu: snap install chromium; or name a Chromium in DELTAPROOF_BROWSER")


class Browser:
    """A browser of its own, with a profile that goes with it. Use it in a `with` statement."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="deltaproof-browser-", ignore_cleanup_errors=True)
        commands, self._write = _high_pipe()
        self._read, answers = _high_pipe()
        options = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
                   "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--disable-extensions", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                   "--force-color-profile=srgb", "--mute-audio"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium has no sandbox for root
        # The protocol is spoken on 3 and 4.
        start = f'exec "$@" 3<&{commands} 4>&{answers}'
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(["bash", "-c", start, "bash", find_browser(), *options, "about:blank"],
                                        pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, start_new_session=True)
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._last = 0
        self._events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(timeout=10)
        except (AssertionError, subprocess.TimeoutExpired, OSError):
            pass
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._read)
        os.close(self._write)
        self.log.close()
        self.profile.cleanup()

    def call(self, method, session=None, timeout=60, **parameters):
        """Ask, and wait for the answer; events that come meanwhile are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self._receive(end, method)
            if answer.get("id") == self._last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def wait_for(self, method, session, timeout=60):
        """Wait for an event that has not come yet, or has and was kept."""
        end = time.monotonic() + timeout
        while not any(event["method"] == method and event.get("sessionId") == session for event in self._events):
            self._receive(end, method)

    def events(self, session, method):
        """What came of one kind, oldest first."""
        return [event["params"] for event in self._events
                if event.get("sessionId") == session and event["method"] == method]

    def forget_events(self, session):
        self._events = [event for event in self._events if event.get("sessionId") != session]

    def _receive(self, end, what):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            data = os.read(self._read, 1 << 20) if ready else b""
            if not data:
                self.log.seek(0)
                said = self.log.read().decode(errors="replace")[-2000:]
                raise AssertionError(f"the browser {'has gone' if ready else 'does not answer'} ({what}):\n{said}")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(message)
        if "method" in message:
            self._events.append(message)
        return message


class Page:
    """A tab."""

    def __init__(self, browser, width=1280, height=900, dark=False, mobile=False):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def open(self, path, address=""):
        """Open a file; returns when it is loaded."""
        self.browser.forget_events(self.session)
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + address)
        self.browser.wait_for("Page.loadEventFired", self.session)
        return self

    def run(self, script):
        """The value of an expression; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True,
                           userGesture=True)
        assert "exceptionDetails" not in result, f"{script}: {result['exceptionDetails']}"
        return result["result"].get("value")

    def settle(self):
        """Until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))")

    def go(self, address):
        self.run(f"location.hash = {json.dumps(address)}")
        self.settle()

    def text(self, selector):
        """What a reader sees there."""
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(node => node.innerText)")

    def press(self, key, code=None, text=None):
        """One key, as a user's keyboard gives it."""
        numbers = {"Tab": 9, "Enter": 13, " ": 32}
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": numbers.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, path=None, full=False):
        """A PNG of what is seen, or of the whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        image = base64.b64decode(data)
        if path:
            pathlib.Path(path).write_bytes(image)
        return image

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


def _high_pipe():
    """A pipe whose ends are not 3 and 4."""
    return [_high(number) for number in os.pipe()]


def _high(number):
    high = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(number)
    return high
