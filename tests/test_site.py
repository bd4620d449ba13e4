"""The documentation as a site, built with warnings as errors. Needs the extra ``site``."""

import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from autograder.course import root

pytest.importorskip("myst_parser", reason="extra 'site' not installed")

DOCS = root() / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Page(HTMLParser):
    """The links of a page, and the places in it that a link can name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places.add(given.get("id"))
        self.links += [given[name] for name in ("href", "src") if given.get(name)]


def test_every_page_and_no_contract(site):
    """Each Markdown file under docs/ is a page; signatures of the solutions are none."""
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}

    assert pages <= built
    assert {str(page) for page in built - pages} == {"genindex", "search"}
    assert not [path for path in site.rglob("*") if "contracts" in path.parts]


def test_internal_links_lead_somewhere(site):
    """To a file of the site, and to a place that is in it."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            known = not place or target.suffix != ".html" or place in pages[target].places
            if not (target.is_file() and known):
                broken.append(f"{path.relative_to(site)}: {link}")

    assert broken == []
