#!/usr/bin/env bash
# Sets a Debian 12 machine with Rust up for this repository. Safe to run again: it is quick when nothing is missing.
# Debian packages go to the system (a browser is among them: reports are looked at in it); with the argument mpi also
# what the feature of that name is built with and run by. Python tools, pinned in tools/requirements.txt, go to target/venv.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "setup: $*"; }
fail() { echo "setup: $*" >&2; exit 2; }

# What proves a package is there -> the Debian package that brings it.
commands=(
    "make:make" "g++:g++" "python3:python3" "tshark:tshark"
    "verilator:verilator" "iverilog:iverilog" "yosys:yosys" "chromium:chromium"
)

case "${1:-}" in
    "") ;;
    mpi) commands+=("mpicc:libopenmpi-dev" "mpirun:openmpi-bin") ;;
    *) fail "unknown argument $1: only mpi is possible" ;;
esac

missing=()
for entry in "${commands[@]}"; do
    command -v "${entry%%:*}" > /dev/null || missing+=("${entry##*:}")
done

# Debian's own Python builds the venv where there is one: cocotb needs its shared library.
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
"$python" -c 'import venv, ensurepip' 2> /dev/null || missing+=(python3-venv python3-pip)
ldconfig -p 2> /dev/null | grep 'libpython3\.' > /dev/null || missing+=(libpython3-dev)
# Verilator writes compressed waveforms through zlib.
[ -e /usr/include/zlib.h ] || missing+=(zlib1g-dev)
# The headers of MPI are read by libclang.
[ "${1:-}" != mpi ] || compgen -G "/usr/lib/llvm-*/lib/libclang.so" > /dev/null || missing+=(libclang-dev)
[ -e /etc/ssl/certs/ca-certificates.crt ] || missing+=(ca-certificates)

if [ ${#missing[@]} -gt 0 ]; then
    install="apt-get install -y --no-install-recommends ${missing[*]}"
    command -v apt-get > /dev/null \
        || fail "missing: ${missing[*]} (Debian package names); install them with this system's package manager and run again"
    [ "$(id -u)" = 0 ] \
        || fail "missing Debian packages, and installing them needs root; run: sudo apt-get update && sudo $install"
    say "installing Debian packages: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    mkdir -p target
    $install -qq > target/setup-apt.log 2>&1 || { tail -20 target/setup-apt.log >&2; fail "apt-get failed: $install"; }
    [ -x /usr/bin/python3 ] && python=/usr/bin/python3
fi

command -v cargo > /dev/null || fail "Rust is missing: install the stable toolchain with rustup and run again"
for part in fmt clippy; do
    cargo "$part" --version > /dev/null 2>&1 \
        || fail "cargo $part is missing: run 'rustup component add ${part/fmt/rustfmt}' and run again"
done

# The stamp holds what the venv was made from; it is written last, so a broken installation is made again.
venv=target/venv
stamp="$venv/installed-from"
want="$("$python" --version) $PWD $(sha256sum < tools/requirements.txt)"
if [ "$(cat "$stamp" 2> /dev/null)" != "$want" ]; then
    say "installing Python tools into $venv: $(grep -c == tools/requirements.txt) packages of tools/requirements.txt"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tools/requirements.txt
    echo "$want" > "$stamp"
fi
