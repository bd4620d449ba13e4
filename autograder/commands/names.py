"""The names that commands take as arguments, and what the shell offers for each.

It offers and refuses nothing: what a name means is for ``course``, ``workspace`` and ``contract``.
"""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from autograder.course import CourseError, chapters, find

__all__ = ["chapter_argument", "chapters_argument", "function_argument", "target_argument",
           "track_argument"]


def _begin_with(incomplete: str, names: dict[str, str]) -> list[CompletionItem]:
    """Of names and what each is, those that somebody has begun to type."""
    return [CompletionItem(name, help=about) for name, about in names.items()
            if name.lower().startswith(incomplete.lower())]


def _chapters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Short names; the slugs or aliases where no short name begins so."""
    known = chapters()
    for names in (
        {chapter.number: chapter.title for chapter in known},
        {chapter.slug: chapter.title for chapter in known},
        {alias: chapter.title for chapter in known for alias in chapter.aliases},
    ):
        if found := _begin_with(incomplete, names):
            return found
    return []


def _targets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Chapters; the shell's own file names where no chapter begins so."""
    return _chapters(ctx, param, incomplete) or [CompletionItem(incomplete, type="file")]


def _functions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The functions of the chapter named before, or of every chapter, and the chapters."""
    from autograder.contract import load

    before = ctx.params.get(param.name or "") or ()
    try:
        among = (find(before[0]),) if before else chapters()
        names = {part.name: chapter.title for chapter in among for part in load(chapter).parts}
    except CourseError:  # nobody who presses a key wants a message
        return []
    more = [] if before else _chapters(ctx, param, incomplete)
    return [*_begin_with(incomplete, names), *more]


def _tracks(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from autograder.tracks import track_names
    from autograder.tracks.milestone import MILESTONES

    known = dict.fromkeys(track_names(), "a scoring table")
    return _begin_with(incomplete, known | {each.name: "a milestone" for each in MILESTONES})


chapter_argument = click.argument("chapter", shell_complete=_chapters)
chapters_argument = click.argument(
    "names", nargs=-1, metavar="[CHAPTER]...", shell_complete=_chapters
)
target_argument = click.argument("target", shell_complete=_targets)
function_argument = click.argument(
    "words", nargs=-1, required=True, metavar="[CHAPTER] FUNCTION", shell_complete=_functions
)
track_argument = click.argument("name", metavar="TRACK", shell_complete=_tracks)
