"""``ol doctor``: what this machine offers, what is missing, and the command that mends it.

It looks and tries; it changes nothing. What is required makes it unhealthy; what only widens the
project (a browser, bubblewrap) is told and no more.
"""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, util

from packaging.requirements import Requirement

from autograder.course import chapters, is_bundle, root, work_dir
from autograder.sandbox import available, explain

__all__ = ["Report", "examine"]


@dataclass(frozen=True)
class Report:
    """Lines to print, and whether all that is required is there."""

    lines: tuple[str, ...]
    healthy: bool


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"


def _locked() -> Iterator[Requirement]:
    """The pinned packages that this Python and system should have."""
    text = (root() / "requirements.lock").read_text(encoding="utf-8")
    for line in re.findall(r"^[A-Za-z0-9][^\\\n]*", text, re.M):
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement


def _packages() -> tuple[list[str], bool]:
    wrong = [
        f"  {requirement.name}: {_version(requirement.name)}, locked {requirement.specifier}"
        for requirement in _locked()
        if _version(requirement.name) == "missing"
        or _version(requirement.name) not in requirement.specifier
    ]
    if wrong:
        return [
            "no   packages differ from requirements.lock; mend: rm .venv/installed; ./ol doctor",
            *wrong,
        ], False
    return ["yes  packages are those of requirements.lock"], True


def _python() -> tuple[str, bool]:
    fine = (3, 11) <= sys.version_info < (3, 14)
    mend = (
        ""
        if fine
        else "; mend: install Python 3.11 to 3.13, rm -r .venv, OL_PYTHON=/path/to/it ./ol doctor"
    )
    return (
        f"{'yes' if fine else 'no '}  Python {platform.python_version()} at {sys.executable}{mend}",
        fine,
    )


def _isolation() -> list[str]:
    strongest = available()[0].value
    lines = [
        f"yes  isolation level {strongest} (A strongest, C weakest)",
        *(f"       {line}" for line in explain()),
    ]
    if strongest == "C":
        lines.append(
            "     level C keeps values honest, not files: no place to grade strangers' work"
        )
    if strongest != "A":
        lines.append(
            "     level A needs bubblewrap, user namespaces; mend: sudo apt-get install bubblewrap"
        )
    return lines


def _browser() -> list[str]:
    chromium = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    playwright = util.find_spec("playwright") is not None
    if chromium and playwright:
        return ["yes  browser tests: Chromium and Playwright"]
    return [
        "--   browser tests will be skipped; mend: sudo apt-get install chromium, "
        ".venv/bin/python -m pip install playwright"
    ]


def _oracles() -> list[str]:
    missing = [name for name in ("torch", "tokenizers", "tiktoken") if util.find_spec(name) is None]
    if not missing:
        return ["yes  oracles: torch, tokenizers, tiktoken"]
    return [
        f"--   tests against {', '.join(missing)} will be skipped; "
        "mend: .venv/bin/python -m pip install '.[oracle]'"
    ]


def _course() -> list[str]:
    hidden = [chapter.number for chapter in chapters() if chapter.hidden.exists()]
    state = (
        f"hidden tests for {', '.join(hidden)}"
        if hidden
        else "no hidden tests here: they run when you hand in"
    )
    return [
        f"yes  {len(chapters())} chapter{'' if len(chapters()) == 1 else 's'}; {state}",
        f"yes  your work goes into {work_dir()}",
    ]


def examine() -> Report:
    """Look at everything once."""
    python, python_fine = _python()
    packages, packages_fine = _packages()
    for_tests = () if is_bundle() else (*_browser(), *_oracles())
    lines = (python, *packages, *_isolation(), *for_tests, *_course())
    return Report(lines, python_fine and packages_fine)
