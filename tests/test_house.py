"""The rules of the house that a program can check: lint, types, dependencies, the shell scripts."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from packaging.requirements import Requirement

from autograder.course import chapters

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED_AS = {"ipython": "IPython", "pyyaml": "yaml"}
PART_OF = {"_pytest": "pytest"}


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def texts_of(chapter) -> list[str]:
    """The Markdown of a chapter's released notebook, cell by cell."""
    cells = nbformat.read(chapter.release, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


def test_ruff_finds_nothing():
    """Code and chapters follow the lint rules of pyproject.toml."""
    assert run(sys.executable, "-m", "ruff", "check", ".") == ""


def test_mypy_finds_nothing():
    """autograder/ is fully typed."""
    assert run(sys.executable, "-m", "mypy") == ""


@pytest.mark.parametrize("script", ["ol", ".ci/run"])
def test_shell_scripts_are_clean(script):
    """shellcheck has nothing to say; ./ol declares plain sh, so a bash-ism is an error."""
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not installed")

    assert run("shellcheck", script) == ""


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.slug)
def test_powers_are_set_as_code(chapter):
    """2**32 in the middle of a sentence begins bold type, which ends at the next power."""
    prose = [re.sub(r"^ {4}.*$|`[^`]*`", "", text, flags=re.M) for text in texts_of(chapter)]

    assert [text for text in prose if re.search(r"\d\*\*[-\w]", text)] == []


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.slug)
def test_no_sentence_becomes_a_list(chapter):
    """A line that begins with a minus is an item of a list, in the middle of a sentence too."""
    inside = re.compile(r"^(?![-+*\d ]).+\n(?:[-+*]|1[.)]) .*", re.M)

    assert [found for text in texts_of(chapter) for found in inside.findall(text)] == []


def test_environment_yml_lists_what_pyproject_lists():
    """conda and Binder get the same packages as ./ol."""
    entries = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pip = next(entry["pip"] for entry in entries if isinstance(entry, dict))

    assert pip == [*PROJECT["dependencies"], "-e ."]
    assert f"python{PROJECT['requires-python']}" in entries


def test_lock_holds_every_dependency():
    """Each dependency is pinned to a version that pyproject.toml allows."""
    lock = (ROOT / "requirements.lock").read_text()
    pinned = {
        name.lower(): version
        for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", lock, re.M)
    }
    for dependency in map(Requirement, PROJECT["dependencies"]):
        assert pinned[dependency.name.lower()] in dependency.specifier, dependency


def test_what_is_imported_is_declared():
    """The package imports nothing that is not among its dependencies, or needed for a cluster."""
    entries = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["cluster"]]
    declared = {
        IMPORTED_AS.get(name, name)
        for entry in map(Requirement, entries)
        for name in (entry.name.lower(), *entry.extras)
    }
    undeclared = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "autograder").rglob("*.py")
        for name in (PART_OF.get(each, each) for each in _imports(path))
        if name not in declared | sys.stdlib_module_names | {"autograder", "llmdata"}
        # What runs in the sandbox sees only its own folder and imports its neighbours by name.
        and not ("inside" in path.parts and (path.parent / f"{name}.py").exists())
    }
    assert undeclared == set()


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def test_links_between_documents_hold():
    """Every relative link in a Markdown file points at something."""
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for link in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text())
        if not (page.parent / link).exists()
    ]
    assert broken == []
