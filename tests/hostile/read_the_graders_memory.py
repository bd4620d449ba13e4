"""Opens the grader's memory and environment in /proc.

Must hold at every level: no such folder (A), out of reach (B), or closed because the grader has
made itself undumpable (C).

Family: frames, memory and /proc.
"""

ENDS = {"A": "nothing", "B": "nothing", "C": "nothing"}


def attack(world):
    for name in ("mem", "environ", "maps"):
        try:
            with open(f"/proc/{world['grader']}/{name}", "rb") as file:
                file.read(1)
        except OSError:
            continue
        return f"opened {name}"
    return "nothing"
