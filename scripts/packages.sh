# shellcheck shell=bash
# Sourced by the other scripts: the distribution's packages that a build needs, and their
# installation on Debian and Ubuntu. Says what it installs; silent, and without touching the
# network, when nothing is missing.
#
#   deltaproof_packages build             what scripts/gate needs
#   deltaproof_packages build test        what scripts/test needs
#   deltaproof_packages build test cover  what scripts/coverage needs

# A file in the form of os-release; tests put their own in its place.
: "${DELTAPROOF_OS_RELEASE:=/etc/os-release}"

# Prints the value of one field of os-release, or nothing.
os_release_field() {
  [[ -r $DELTAPROOF_OS_RELEASE ]] || return 0
  # shellcheck disable=SC1090  # the file is the system's
  (. "$DELTAPROOF_OS_RELEASE" && printf '%s' "${!1-}")
}

is_debian_like() {
  [[ " $(os_release_field ID) $(os_release_field ID_LIKE) " == *" debian "* ]] &&
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

# Debian 12's plain libboost-dev is 1.74, without the interval backend that we use.
boost_package() {
  if [[ "$(os_release_field ID) $(os_release_field VERSION_ID)" == "debian 12" ]]; then
    echo libboost1.81-dev
  else
    echo libboost-dev
  fi
}

# The runtime of libFuzzer and of clang's sanitizers, of the version that `clang` is: clang itself only suggests it.
fuzzer_package() {
  if [[ "$(os_release_field ID)" == debian ]]; then
    echo libclang-rt-14-dev
  else
    echo libclang-rt-18-dev
  fi
}

# "COMMAND PACKAGE" of a browser for the tests of the HTML report. Ubuntu's is a snap, which a container does not run:
# there it is not installed, any Chromium on PATH will do, and without one those tests fail and say so.
browser_tool() {
  [[ "$(os_release_field ID)" == ubuntu ]] || echo 'chromium chromium'
}

# Prints "COMMAND PACKAGE" for the tools of one kind of work: any version on PATH will do.
tools_for() {
  case $1 in
    build) printf '%s\n' 'c++ g++' 'cmake cmake' 'ninja ninja-build' ;;
    test) printf '%s\n' 'python3 python3' 'clang++ clang' "$(browser_tool)" ;;
    cover) printf '%s\n' 'lcov lcov' ;;
  esac
}

# Prints the library packages for one kind of work.
libraries_for() {
  case $1 in
    build) printf '%s\n' "$(boost_package)" libeigen3-dev libfmt-dev nlohmann-json3-dev \
      libcli11-dev libssl-dev libmpfi-dev libmpfr-dev libgmp-dev libjs-chart.js ;;
    test) printf '%s\n' libgtest-dev librapidcheck-dev libbenchmark-dev zlib1g-dev \
      "$(fuzzer_package)" \
      cmark-gfm python3-jsonschema python3-junitparser python3-lxml python3-yaml ;;
  esac
}

is_installed() {
  dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Prints the packages that the named kinds of work need and that are missing.
missing_packages() {
  local kind tool package
  for kind in "$@"; do
    while read -r tool package; do
      [[ -z $tool ]] || command -v "$tool" >/dev/null || echo "$package"
    done < <(tools_for "$kind")
    while read -r package; do
      [[ -z $package ]] || is_installed "$package" || echo "$package"
    done < <(libraries_for "$kind")
  done
}

# apt never removes a package to make room for one of ours: it stops and says so instead.
install_with_apt() {
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "not root and no sudo; as root run: apt-get install $*" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing: $*"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-remove \
      --no-install-recommends "$@"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "could not install: $*" >&2
    return 1
  fi
  rm -f "$log"
}

# Makes sure that everything for the named kinds of work is there.
deltaproof_packages() {
  local missing
  if is_debian_like; then
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]})); then
      install_with_apt "${missing[@]}"
    fi
    return
  fi
  # Another system: its packages are its user's affair. CMake finds them or names the first missing.
  echo "not Debian or Ubuntu: nothing is installed. Needed: CMake 3.25, Ninja, a C++20 compiler," \
    "Boost 1.81, Eigen 3.4, fmt 9, nlohmann-json 3.11, CLI11 2.1, OpenSSL, MPFI, MPFR, GMP, Chart.js 3" \
    "(tests: Python 3 with jsonschema, junitparser, lxml and PyYAML, cmark-gfm, GoogleTest, RapidCheck, Google" \
    "Benchmark, zlib)" >&2
}
