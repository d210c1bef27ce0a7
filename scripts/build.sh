# shellcheck shell=bash
# Sourced by the other scripts: configures and builds a preset in build/<preset>. Says nothing when
# there is nothing to do; shows the compiler's progress when there is, CMake's output on failure.

# configure_preset ROOT PRESET: afterwards Ninja itself configures anew whenever a CMake file changes.
configure_preset() {
  local root=$1 preset=$2 log
  if [[ $root/build/$preset/build.ninja -nt $root/CMakePresets.json ]]; then
    return
  fi
  echo "configuring: build/$preset"
  log=$(mktemp)
  if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "could not configure build/$preset" >&2
    return 1
  fi
  rm -f "$log"
}

# build_preset ROOT PRESET [TARGET ...]
build_preset() {
  local build=$1/build/$2
  shift 2
  if ninja -C "$build" -n "$@" | grep -q 'no work to do'; then
    return
  fi
  echo "building: $build"
  ninja -C "$build" "$@"
}
