#!/bin/sh
# Makes .venv on first use (with uv where present, else venv and pip), then runs the command in it.
# Everything else is autograder/cli.py's work. OL_PYTHON names the Python to build with.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
venv=$root/.venv
lock=$root/requirements.lock
done_mark=$venv/installed # what wanted prints, written when all of it is there

wanted() { cat "$lock" && printf '# for %s\n' "$root"; }
say() { printf 'ol: %s\n' "$*" >&2; }
stop() { say "$*"; exit 2; }

find_python() {
    for candidate in ${OL_PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
        if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

install_with_uv() {
    uv venv --quiet --allow-existing --python "$1" "$venv" &&
        uv pip install --quiet --python "$venv/bin/python" --requirement "$lock" &&
        uv pip install --quiet --python "$venv/bin/python" --no-build-isolation --no-deps --editable "$root"
}

install_with_pip() {
    "$1" -m venv "$venv" &&
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$lock" &&
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
            --no-build-isolation --no-deps --editable "$root"
}

set_up() {
    python=$(find_python) || stop "no Python 3.11, 3.12 or 3.13 found. Install one, or name it: OL_PYTHON=/path/to/python3 ./ol ..."
    if command -v uv >/dev/null 2>&1; then with=uv; else with=pip; fi
    say "first use: installing the locked versions into .venv with $with (half a minute to a few)"
    "install_with_$with" "$python" ||
        stop "the installation did not finish. Check the network and the disk, then run the same command again; it carries on."
    wanted >"$done_mark.new" && mv "$done_mark.new" "$done_mark"
}

wanted | cmp -s - "$done_mark" || set_up
PATH=$venv/bin:$PATH
export PATH
exec "$venv/bin/python" -P -m autograder "$@"
