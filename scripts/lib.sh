# Shared by scripts/demo and scripts/test: check the machine, make .venv, install the package into it.
# Everything is done once and again only when its input has changed.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
build_tools=("scikit-build-core>=0.10" "pybind11>=2.13" "cmake>=3.21" "ninja")

export PIP_DISABLE_PIP_VERSION_CHECK=1
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}

say() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.10; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "needs Python 3.10 or newer with venv and found none: apt-get install python3 python3-venv, or set PYTHON"
}

find_compiler() {
    local candidate
    for candidate in ${CXX:-} c++ g++ clang++; do
        if printf '#include <omp.h>\n#include <span>\nint main() {}\n' |
            "$candidate" -std=c++20 -fopenmp -fsyntax-only -x c++ - 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "needs a C++20 compiler with OpenMP and found none: apt-get install g++ (11 or newer), or set CXX"
}

# hash_of FILE_OR_FOLDER...: one word that changes when any file in them does
hash_of() {
    (cd "$root" && find "$@" -type f ! -name '*.pyc' ! -name '*.so' -print0 | LC_ALL=C sort -z |
        xargs -0 cksum | cksum | tr -d ' ')
}

# once NAME VALUE COMMAND...: run the command unless it already succeeded for this value
once() {
    local stamp=$venv/.done-$1 value=$2
    shift 2
    [[ -f $stamp && $(<"$stamp") == "$value" ]] && return
    "$@"
    echo "$value" >"$stamp"
}

make_venv() {
    local python
    python=$(find_python)
    CXX=$(find_compiler)
    export CXX
    if ! "$venv/bin/python" -c '' 2>/dev/null; then
        say "making .venv with $("$python" --version)"
        "$python" -m venv --clear "$venv"
    fi
    export PATH=$venv/bin:$PATH
    once tools "${build_tools[*]}" install_tools
}

install_tools() {
    say "installing build tools into .venv"
    python -m pip install --quiet "${build_tools[@]}"
}

# install_package EXTRAS: the package, editable, with the dependencies of these extras
install_package() {
    local extras=$1
    once "dependencies-$extras" "$(hash_of pyproject.toml)" install_dependencies "$extras"
    once package "$(hash_of pyproject.toml CMakeLists.txt cpp bindings python)" build_package
}

install_dependencies() {
    say "building intarsia and installing it with [$1]"
    python -m pip install --quiet --no-build-isolation -e "$root[$1]"
    hash_of pyproject.toml CMakeLists.txt cpp bindings python >"$venv/.done-package"
}

build_package() {
    say "building intarsia"
    python -m pip install --quiet --no-build-isolation --no-deps -e "$root"
}
