"""How pytest is called where only its verdicts are wanted: the grader's own runs and a tester's."""

from __future__ import annotations

__all__ = ["arguments"]

# Plug-ins that grading needs nothing of: some would print or catch what is not theirs, the rest
# cost a third of the time of a check in a notebook.
UNUSED = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging",
    "pastebin", "setuponly", "setupplan", "stepwise", "subtests", "terminal", "threadexception",
    "unraisableexception", "warnings",
)


def arguments(settings: str) -> list[str]:
    """For ``pytest.main``; ``settings`` is the path of the file to take options from."""
    unused = (word for name in UNUSED for word in ("-p", f"no:{name}"))
    return ["-c", settings, "--disable-plugin-autoload", "--capture=no", "--import-mode=importlib",
            *unused]
