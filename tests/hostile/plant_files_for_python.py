"""Plants conftest.py, sitecustomize.py, a .pth and more wherever Python or pytest look for them.

Must hold: only its scratch folder takes them, which nobody imports from and which is deleted.

Family: planted files and variables.
"""

import os
import sys

ENDS = {"A": "nothing", "B": "nothing"}


NAMES = ("conftest.py", "sitecustomize.py", "usercustomize.py", "planted.pth", "pytest.ini")


def attack(world):
    planted = []
    folders = [
        world["repository"], world["site-packages"], world["files"], *sys.path, sys.prefix,
        os.path.dirname(os.__file__), "/tmp", "/var/tmp", "/root", "/home",
    ]
    for folder in filter(None, folders):
        for name in NAMES:
            try:
                with open(os.path.join(folder, name), "x"):
                    planted.append(os.path.join(folder, name))
                os.remove(planted[-1])
            except OSError:
                pass
    for name in NAMES:
        with open(name, "w") as file:
            file.write("raise SystemExit(0)")
    return str(planted) if planted else "nothing"
