"""The course as a page: which chapter stands on which, how far each has come, and where it is."""

import hashlib
import itertools
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from autograder import coursepage, graph, standing, workspace
from autograder.course import Chapter, chapters, find
from autograder.learn import course_page
from autograder.verdict import FunctionVerdict, Outcome, Status, TestVerdict, Verdict

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    """A work folder: ch01 done, ch02 and ch04 begun; the kernel runs in it."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("ch01", "ch02", "ch04"):
        workspace.start(find(name))
    digest = hashlib.sha256(find("ch01").work.read_bytes()).hexdigest()
    test = TestVerdict("t", "unit", "r", Outcome.PASSED, False)
    function = FunctionVerdict("f", 100, (test,))
    workspace.remember(Verdict("ch01_corpus", Status.GRADED, (function,), "A", digest, ""))


def chapter(number, *needs):
    return Chapter(f"{number}_x", "T", "m", (f"A{number}",), needs, (), 60, 1, 1)


def page():
    return coursepage.page(standing.standings())


def boxes():
    return {box.number: box for box in page().boxes}


def drawing(shown):
    """The graph as XML, which it must be to be read everywhere."""
    return ElementTree.fromstring(re.search(r"<svg.*</svg>", shown.html, re.DOTALL)[0])


class Table(HTMLParser):
    """The rows of the table, and the links in it by their texts."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.links, self._href, self._cell = [], {}, None, False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self._href = given.get("href", self._href)
        self._cell = self._cell or tag in ("td", "th")
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self._cell = self._cell and tag not in ("td", "th")
        self._href = None if tag == "a" else self._href

    def handle_data(self, data):
        if self._cell:
            self.rows[-1][-1] += data
        if self._href:
            self.links[data] = self._href


def test_arrows_that_follow_from_others_are_left_out():
    """A slug, a number and an alias name a need alike; one that is no chapter here names none."""
    course = [chapter("ch01"), chapter("ch02", "ch01_x"), chapter("ch03", "Ach02", "ch01", "ch99"),
              chapter("ch04", "ch01", "ch02", "ch03")]

    assert graph.edges(course) == [("ch01", "ch02"), ("ch02", "ch03"), ("ch03", "ch04")]


def test_arrows_say_all_that_a_chapter_needs():
    """Along the arrows one comes to everything that a chapter's header names, and to no more than
    follows from those."""
    above = {}
    for below, number in graph.edges(chapters()):
        above.setdefault(number, set()).add(below)

    def reached(number):
        return above.get(number, set()).union(*map(reached, above.get(number, ())))

    def named(each):
        needs = [find(name) for name in each.needs]
        return {need.number for need in needs}.union(*map(named, needs))

    assert {each.number: reached(each.number) for each in chapters()} == {
        each.number: named(each) for each in chapters()}


def test_each_chapter_stands_below_what_it_needs():
    """Once, and in the layer just above one that needs it, or in the last."""
    rows = graph.layers(chapters())
    level = {number: depth for depth, row in enumerate(rows) for number in row}

    assert sorted(itertools.chain(*rows)) == [each.number for each in chapters()]
    assert all(level[below] < level[above] for below, above in graph.edges(chapters()))
    for number, depth in level.items():
        after = [level[above] for below, above in graph.edges(chapters()) if below == number]
        assert depth == min(after, default=len(rows)) - 1


def test_a_layer_is_ordered_by_what_comes_after():
    """So that arrows do not cross where they need not."""
    course = [chapter("ch01"), chapter("ch02"), chapter("ch03", "ch02"), chapter("ch04", "ch01"),
              chapter("ch05", "ch03", "ch04")]

    assert graph.layers(course) == [["ch02", "ch01"], ["ch03", "ch04"], ["ch05"]]


def test_marks_of_chapters():
    """Done, next, begun and not begun have a mark each, so that nobody needs colours."""
    found = boxes()

    assert [(found[number].mark, found[number].state) for number in
            ("ch01", "ch02", "ch04", "ch03")] == [
        ("✔", "done"), ("▶", "next"), ("◐", "started"), ("○", "")]
    assert [box.number for box in found.values() if box.state == "next"] == ["ch02"]


def test_only_what_is_started_is_a_link(monkeypatch):
    """From wherever the kernel runs, and to a file that is there."""
    assert {number: box.link for number, box in boxes().items() if box.link} == {
        number: f"{find(number).slug}/{find(number).slug}.ipynb"
        for number in ("ch01", "ch02", "ch04")}

    monkeypatch.chdir(find("ch04").work.parent)
    assert boxes()["ch01"].link == "../ch01_corpus/ch01_corpus.ipynb"
    assert Table(page().html).links[find("ch01").title] == "../ch01_corpus/ch01_corpus.ipynb"


def test_the_graph_has_every_chapter_and_arrow():
    """In its place: number, state, minutes and whole title in the box, and no box on another."""
    root, shown = drawing(page()), page()
    drawn = {box.number: group for box, group in zip(shown.boxes, root.iter(f"{SVG}g"),
                                                     strict=True)}

    for number, group in drawn.items():
        words = " ".join("".join(text.itertext()) for text in group.iter(f"{SVG}text"))
        box = boxes()[number]
        assert " ".join(words.split()) == " ".join(
            f"{box.mark} {number} {box.state} {find(number).minutes} min "
            f"{find(number).title}".split())
    assert len([*root.iter(f"{SVG}path")]) == 2 * len(graph.edges(chapters()))
    for one, other in itertools.combinations(shown.boxes, 2):
        assert abs(one.x - other.x) > shown.box_width or abs(one.y - other.y) > shown.box_height
    assert {group.get("class") for group in drawn.values()} == {
        "ol-box-done", "ol-box-next", "ol-box-started", "ol-box-not"}


def test_the_graph_has_a_text_instead():
    """It is one picture with a name for screen readers; the table says the same in rows."""
    shown = page()
    root, table = drawing(shown), Table(shown.html)

    assert root.get("role") == "img"
    assert shown.heading in root.get("aria-label")
    assert len(table.rows) == 1 + len(chapters())
    for row, box in zip(table.rows[1:], shown.boxes, strict=True):
        each = box.standing
        assert row == [f"{box.mark} {box.number}", each.chapter.title, ", ".join(box.needs),
                       str(each.chapter.minutes),
                       each.state + (", next" if box.state == "next" else "")]


def test_the_plain_text_says_what_the_html_says():
    """Every cell of the table, the heading, the next step with the time left, and the legend."""
    shown = page()

    for said in (shown.heading, shown.lead, shown.legend):
        assert said in shown.text
        assert said in shown.html
    lines = shown.text.splitlines()[2:-1]
    for line, row in zip(lines, Table(shown.html).rows[1:], strict=True):
        assert all(cell.removesuffix(", next") in line for cell in row)


def test_a_title_is_no_markup():
    """Letters that HTML or SVG would obey are shown as letters, in every part."""
    first, *others = standing.standings()
    strange = replace(first, chapter=replace(first.chapter, title="<b> & 'it'"))
    shown = coursepage.page([strange, *others])

    assert "<b>" not in shown.html
    assert Table(shown.html).rows[1][1] == "<b> & 'it'"
    assert "<b> & 'it'" in "".join(drawing(shown).itertext())


def test_a_course_without_chapters_is_no_error():
    """As where OL_ROOT names a folder that has none."""
    assert "0 of 0 chapters done" in coursepage.page([]).html
    assert "0 of 0 chapters done" in coursepage.page([]).text


def test_a_notebook_shows_it():
    """``course_page()``, as the start page calls it, with what ``ol status`` says is next."""
    shown = course_page().card

    assert (shown.heading, shown.lead) == (
        "1 of 12 chapters done", standing.lead(standing.standings()))
    assert shown.lead.startswith("Next: ol lab, then ol check ch02 (about ")
