"""``ol`` in a terminal and in a pipe: help with examples, completion, colours only where wanted."""

import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing

import click
import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.catalogue import catalogue
from autograder.course import chapters, find, root

STYLED = re.compile(r"\x1b\[[\d;]*m")


def commands(group=cli.ol, path=()):
    """Every command by the words that call it, groups before what is in them."""
    for name, command in group.commands.items():
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


COMMANDS = [pytest.param(path, id=" ".join(path)) for path in commands()]


def ol(*words, width=80, **environment):
    return CliRunner().invoke(
        cli.ol, list(words), prog_name="ol", env=environment, terminal_width=width
    )


def called(path):
    command = cli.ol
    for word in path:
        command = command.commands[word]
    return command


@pytest.fixture
def started(tmp_path, monkeypatch):
    monkeypatch.setenv("OL_WORK", str(tmp_path / "work"))
    assert ol("start", "ch04").exit_code == 0


@pytest.mark.parametrize("path", COMMANDS)
def test_each_example_in_the_help_is_a_command(path, monkeypatch):
    """Each command's help has examples of it, and what they say reaches it."""
    help_text = ol(*path, "--help").output
    examples = re.findall(r"^    \S*?ol ([^)|\n]*)|\$\(\./ol ([^)]*)\)", help_text, re.M)
    reached = []
    leaf = called(path)
    if isinstance(leaf, click.Group):
        leaf = next(iter(leaf.commands.values()))
    monkeypatch.setattr(leaf, "callback", lambda **values: reached.append(values))

    for example in examples:
        done = ol(*shlex.split("".join(example)))
        assert done.exit_code == 0, (example, done.output)
    assert len(reached) == len(examples) > 0


@pytest.mark.parametrize("path", COMMANDS)
def test_each_line_of_help_fits(path):
    """Sixty columns are enough, and in eighty the list of commands has its first sentence whole."""
    for line in ol(*path, "--help", width=60).output.splitlines():
        assert len(line) <= 60, line
    summary = called(path).get_short_help_str(limit=1000)
    assert len(summary) <= 64
    assert summary in ol(*path[:-1], "--help").output


def test_every_command_is_listed():
    """The sections of 'ol --help' hold each command once."""
    listed = re.findall(r"^  ([a-z]+)  +[A-Z]", ol("--help").output, re.M)
    assert sorted(listed) == sorted(cli.ol.commands)


@pytest.mark.parametrize(("words", "said"), [
    (("chekc",), "Did you mean 'check'?"),
    (("tdd", "rde"), "Did you mean 'red'?"),
    (("check", "ch4"), "Did you mean 'ch04'?"),
    (("hint", "randint33"), "Did you mean 'randint32'?"),
    (("hint", "ch02", "mrege"), "Did you mean 'merge'?"),
    (("hint", "ch02"), "name a function of ch02, too: pretokenize, "),
    (("hint", "ch02", "merge", "2"), "name a function, or a chapter and a function"),
    (("completion", "tcsh"), "is not one of"),
])
def test_a_slip_is_told_the_nearest(words, said):
    """A wrong command, chapter, function or shell: the nearest, and exit code 2."""
    done = ol(*words)
    assert (done.exit_code, said in done.output) == (2, True), done.output


def test_a_hint_says_how_to_get_the_next():
    """With or without the chapter; the last has no next."""
    first = ol("hint", "merge").output
    assert first == ol("hint", "ch02", "merge").output
    assert first.endswith("More: ol hint merge --step 2\n")
    assert "More:" not in ol("hint", "merge", "--step", "3").output


def test_the_catalogue_as_json():
    """A list with every hidden test, its kind, rule and reason."""
    found = json.loads(ol("tests", "ch04", "--json").output)
    assert [each["name"] for each in found] == [each.name for each in catalogue(find("ch04"))]
    assert {"function", "kind", "rule", "why"} < set(found[0])


SHOWN = [
    ("status",), ("tests", "ch04"), ("hint", "merge"), ("check", "ch04"), ("tdd", "red", "ch04"),
]


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_what_is_piped_has_no_escapes(words, started):
    """Text in a pipe is text and nothing else."""
    said = ol(*words).output
    assert said
    assert "\x1b" not in said


def in_terminal(*words, **environment):
    """What this Python prints to a terminal of its own."""
    ours, theirs = pty.openpty()
    with closing(os.fdopen(ours, "rb", buffering=0)) as screen:
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        with subprocess.Popen([sys.executable, "-P", *words], stdin=theirs, stdout=theirs,
                              stderr=theirs, env=kept | {"TERM": "xterm-256color"} | environment):
            os.close(theirs)
            said = b""
            try:
                while data := screen.read(65536):
                    said += data
            except OSError:  # how Linux says that the other end is closed
                pass
    return said.decode()


BOLD = "from autograder.terminal import console; console().print('[bold]A[/bold] [red]1[/red] 2')"


def test_colours_are_off_with_no_color():
    """A terminal gets colours and bold type, unless NO_COLOR is set; a dumb one gets neither."""
    styled = in_terminal("-c", BOLD)
    assert STYLED.search(styled)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert in_terminal("-c", BOLD, **environment) == STYLED.sub("", styled)


OFFLINE = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        print("reached for the network:", event, arguments, file=sys.stderr)
        raise OSError
sys.addaudithook(refuse)
from autograder.cli import main
main()
"""


@pytest.mark.parametrize("words", [("status",), ("check", "ch04"), ("export",)], ids=" ".join)
def test_no_network_is_needed(words, started):
    """Nothing but 'ol data' and the first use of ./ol asks for one."""
    done = subprocess.run([sys.executable, "-P", "-c", OFFLINE, *words],
                          capture_output=True, text=True, check=False)
    assert "network" not in done.stderr
    assert done.returncode == {"status": 0, "check": 1, "export": 1}[words[0]], done


def completed(*words):
    """What bash is offered for the last of ``words``."""
    line = {"COMP_WORDS": shlex.join(("ol", *words)), "COMP_CWORD": str(len(words))}
    return [offer.partition(",")[2]
            for offer in ol(_OL_COMPLETE="bash_complete", **line).output.split()]


@pytest.mark.parametrize(("words", "offered"), [
    (("che",), ["check"]),
    (("check", "ch0"), [f"ch0{number}" for number in range(1, 10)]),
    (("start", "ch04_"), ["ch04_mt19937"]),
    (("tests", "a0.1"), ["A0.1", "A0.1b"]),
    (("check", "handed-in/ch"), ["handed-in/ch"]),
    (("build", "ch04", "ch1"), ["ch10", "ch11", "ch12"]),
    (("hint", "ch02", "m"), ["merge"]),
    (("hint", "randint3"), ["randint32", "randint32_array"]),
    (("hint", "ch77", "m"), []),
    (("grade", ""), ["A0", "MS-corpus"]),
    (("completion", "z"), ["zsh"]),
])
def test_names_complete(words, offered):
    """Commands, chapters by each of their names, functions, tracks; file names are the shell's."""
    assert completed(*words) == offered


COMPLETE = {
    "bash": 'eval "$({ol} completion bash)"; type -P ol; complete -p ol',
    "zsh": 'eval "$({ol} completion zsh)"; whence -p ol; echo $_comps[ol]',
    "fish": "{ol} completion fish | source; type -p ol; complete -C 'ol check ch04'",
}
BARE = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["-N"]}


@pytest.mark.parametrize("shell", COMPLETE)
def test_the_shells_take_the_script(shell, tmp_path):
    """Evaluated, it makes plain ol this checkout's, and completes it."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    program = f"{shlex.quote(sys.executable)} -P -m autograder"
    done = subprocess.run(
        [shell, *BARE[shell], "-c", COMPLETE[shell].format(ol=program)],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
        env=os.environ | {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    where, offered = done.stdout.splitlines()[:2]
    assert (where, done.stderr) == (str(root() / "ol"), "")
    assert re.search(r"_ol_completion|ch04", offered)


def test_every_chapter_completes():
    """Nothing is left out."""
    assert completed("start", "") == [chapter.number for chapter in chapters()]
