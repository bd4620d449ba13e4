"""``ol new``: the files of a chapter that does not exist yet, small and whole.

The new chapter builds, grades and audits from the start; what it teaches is the author's work.
"""

from __future__ import annotations

from pathlib import Path

import jinja2

from autograder import files
from autograder.course import CourseError, chapters, root, slug_problem

__all__ = ["lay_out"]


def lay_out(slug: str) -> tuple[Path, ...]:
    """Write the source, the hidden tests and a planted bug of a new chapter.

    Raises:
        CourseError: the slug is not one, its number is taken, or a file is in the way.
    """
    problem = slug_problem(slug)
    if problem:
        raise CourseError(problem)
    taken = next((chapter for chapter in chapters() if chapter.number == slug.split("_")[0]), None)
    if taken:
        raise CourseError(f"{taken.number} is taken by {taken.slug}; choose another number")
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("autograder"),
        keep_trailing_newline=True,
        autoescape=False,
    )
    made = {
        root() / "solutions" / f"{slug}.py": "chapter.py.jinja",
        root() / "autograder" / "hidden" / f"{slug}.py": "hidden.py.jinja",
        root() / "autograder" / "mutants" / f"{slug}.py": "mutants.py.jinja",
    }
    for path in made:
        if path.exists():
            raise CourseError(f"{path} is in the way; move it, then run 'ol new {slug}' again")
    for path, template in made.items():
        files.write(
            path, templates.get_template(template).render(slug=slug, module=slug.split("_", 1)[1])
        )
    return tuple(made)
