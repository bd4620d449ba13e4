"""``ol demo``: the newcomer's first look works, offline, and leaves nothing behind."""

import os
import subprocess
import sys


def test_demo_shows_the_whole_job(tmp_path):
    """Graded, explained, mended, graded again, exported, imported; then nothing is left over."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "autograder", "demo"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path), "COLUMNS": "100"},
        timeout=300,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    told = [
        "not passed yet",
        "randint64: test_high_half_first",
        "Wanted",
        "17410963294559324454",
        "hint 1 of 3",
        "100 of 100 points, passed",
        "llmdata holds rand",
        "[4053805790, 2173880614, 380293709, 1237255315, 2986595568]",
    ]
    places = [done.stdout.find(part) for part in told]
    assert -1 not in places, told[places.index(-1)]
    assert places == sorted(places)
    assert os.listdir(tmp_path) == []
