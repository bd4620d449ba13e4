"""Tries to append to, replace, rename, link and delete a file outside its scratch folder.

Must hold: none of it succeeds, and the file and its folder stay as they were.

Family: planted files and variables.
"""

import os

ENDS = {"A": "nothing", "B": "nothing"}


def attack(world):
    target, done = world["secret"], []
    for name, attempt in {
        "append": lambda: open(target, "a"),
        "create": lambda: open(world["files"] + "/new", "w"),
        "rename": lambda: os.rename(target, target + ".old"),
        "link": lambda: os.link(target, "hard"),
        "remove": lambda: os.remove(target),
        "truncate": lambda: os.truncate(target, 0),
        "mkdir": lambda: os.mkdir(world["files"] + "/folder"),
    }.items():
        try:
            attempt()
            done.append(name)
        except OSError:
            pass
    return str(done) if done else "nothing"
