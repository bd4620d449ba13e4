"""What a learner sees: JupyterLab in a real browser, stubs filled by typing, cards looked at.

Needs the extra ``browser`` and a Chromium: ``OL_CHROMIUM``, or one on the path. One server and one
page serve all tests of this file. ``python -m pytest tests/test_lab.py``
"""

import json
from pathlib import Path

import pytest

from autograder.course import find
from tests.lab import Notebook, chromium, needs_chromium, new_page, playwright, running_lab

pytestmark = needs_chromium

CHAPTER = find("ch04")
FUNCTION = "manual_seed"
CELLS = ("setup", "given", "solve", "check")
SETUP = "from autograder.learn import check, hint"
WRONG = f"def {FUNCTION}(state, seed):\n    state.state[:] = 7"
RUN = """async index => {
    jupyterapp.shell.currentWidget.content.activeCellIndex = index;
    await jupyterapp.commands.execute('notebook:run-cell');
}"""
LUMINANCE = """
const luminance = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255)
        .map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
    const colour = getComputedStyle(element).backgroundColor;
    return /, 0\\)$/.test(colour) && element.parentElement ? behind(element.parentElement) : colour;
};"""
BACKGROUND = f"() => {{{LUMINANCE} return luminance(behind(document.querySelector('.ol-card'))); }}"
CONTRAST = f"""element => {{{LUMINANCE}
    const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
}}"""


def solved() -> str:
    """The course's own cell for the function."""
    cells = json.loads(CHAPTER.solution.read_text())["cells"]
    return next("".join(c["source"]) for c in cells if c["id"] == f"solve-{FUNCTION}")


def shortened(folder: Path) -> Path:
    """The released notebook with only the cells of one function, all of them in view."""
    notebook = json.loads(CHAPTER.release.read_text())
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    setup = {"cell_type": "code", "execution_count": None, "id": "setup", "metadata": {},
             "outputs": [], "source": SETUP}
    names = ("given-state", f"solve-{FUNCTION}", f"check-{FUNCTION}")
    notebook["cells"] = [setup, *(cells[name] for name in names)]
    path = folder / CHAPTER.slug / f"{CHAPTER.slug}.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(notebook))
    return path


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The notebook, open in a browser, its kernel ready and the setup and given cells run."""
    folder = tmp_path_factory.mktemp("lab")
    path = shortened(folder)
    with (running_lab(folder) as address, chromium() as browser,
          new_page(browser, viewport={"width": 1100, "height": 1400}) as page):
        name = str(path.relative_to(folder))
        Notebook(page, address.format(f"lab/tree/{name}"), name)
        page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
        for name in ("setup", "given"):
            page.evaluate(RUN, CELLS.index(name))
        yield page


def checked(page, heading, code=None):
    """Type a solution over the stub, if one is given, run it and its check; the card."""
    stub, check = (page.locator(".jp-Notebook .jp-CodeCell").nth(CELLS.index(name))
                   for name in ("solve", "check"))
    if code is not None:
        stub.locator(".cm-content").click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(code)
    for name in ("solve", "check"):
        page.evaluate(RUN, CELLS.index(name))
    card = check.locator(".ol-card")
    playwright.expect(card).to_contain_text(f"{FUNCTION}: {heading}")
    return card


def rows(card):
    labels, texts = (card.locator(part).all_inner_texts() for part in (".ol-label", ".ol-value"))
    return dict(zip(labels, texts, strict=True))


def test_a_released_stub_is_not_written_yet(page):
    """The notebook as released: a calm card that says what to do first."""
    card = checked(page, "not written yet")

    assert "NotImplementedError" in rows(card)["Next step"]


def test_a_wrong_solution_shows_given_wanted_and_got(page):
    """Typed and run: the first failure in full; only one card is there."""
    card = checked(page, "wrong value", WRONG)

    assert card.count() == 1
    assert FUNCTION in rows(card)["Given"]
    assert "7" in rows(card)["Got"]
    assert rows(card)["Wanted"] != rows(card)["Got"]


def test_the_right_solution_turns_the_card(page):
    """The same cells, run again with the right code: passed."""
    card = checked(page, "passed", solved())

    assert card.locator(".ol-label").count() == 0


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_a_card_is_readable_in_both_themes(page, theme):
    """Text stands out from what is behind it by 4.5 to 1, as WCAG AA asks."""
    card = checked(page, "wrong value", WRONG)
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_selector(f'body[data-jp-theme-name="{theme}"]', state="attached")
    page.wait_for_function(f"({BACKGROUND})() < 0.5 == {str('Dark' in theme).lower()}")

    for part in ("p", ".ol-label", "span.ol-value", "pre.ol-value"):
        assert card.locator(part).first.evaluate(CONTRAST) >= 4.5, part


def test_a_card_fits_a_narrow_window(page):
    """On a phone's width nothing sticks out, and labels stand above their texts."""
    card = checked(page, "wrong value", WRONG)
    page.set_viewport_size({"width": 420, "height": 1400})
    label, text = (card.locator(part).first.bounding_box() for part in (".ol-label", ".ol-value"))

    assert card.evaluate("card => card.scrollWidth <= card.clientWidth")
    assert text["y"] >= label["y"] + label["height"]
