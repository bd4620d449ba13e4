"""JupyterLab and a headless Chromium for tests: started for one folder, and stopped.

Needs the extra ``browser`` and a Chromium: ``OL_CHROMIUM``, or one on the path. A module that
imports this one is skipped without the former, and says ``needs_chromium`` of the latter.
"""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="extra 'browser' not installed")

CHROMIUM = os.environ.get("OL_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

WAIT = 60_000  # milliseconds, for a machine with much else to do
# What was open before is restored first, and may be in front for a while.
OPEN = "path => window.jupyterapp?.shell.currentWidget?.context?.path === path"
READY = """async () => {
    await jupyterapp.shell.currentWidget.context.ready;
    await jupyterapp.shell.currentWidget.sessionContext.ready;
}"""
# Cells that are out of view have no elements: the one that is named, or the last, comes into view.
CHOOSE = """async name => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const index = notebook.widgets.findIndex(cell => cell.model.id === name);
    if (index < 0) throw new Error('no cell ' + name);
    notebook.activeCellIndex = index;
    await notebook.scrollToItem(index, 'center');
    await notebook.activeCell.ready;
}"""
ACTIVE = "jupyterapp.shell.currentWidget.content.activeCell"
SOURCE = f"() => {ACTIVE}.model.sharedModel.source"
FRONT = ".jp-NotebookPanel:not(.lm-mod-hidden)"
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run"]


@contextmanager
def chromium():
    """A browser that waits as long as a busy machine may take."""
    with playwright.sync_playwright() as engine:
        playwright.expect.set_options(timeout=WAIT)
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@contextmanager
def new_page(browser, **options):
    """A page of its own, without what it would load from elsewhere."""
    page = browser.new_page(**options)
    page.set_default_timeout(WAIT)
    page.route("https://**", lambda route: route.abort())
    yield page
    page.close()


class Notebook:
    """A notebook in JupyterLab: cells go by their ids, and hands use the keys."""

    def __init__(self, page, address: str, path: str) -> None:
        self.page = page
        page.goto(address)
        page.wait_for_function("() => window.jupyterapp")
        page.evaluate("jupyterapp.restored")
        page.wait_for_function(OPEN, arg=path)
        page.evaluate(READY)

    def cell(self, name: str):
        """The cell, in view and chosen, but not edited."""
        self.page.evaluate(CHOOSE, name)
        chosen = self.page.locator(f"{FRONT} .jp-Cell.jp-mod-active")
        chosen.locator(".jp-InputPrompt").click()
        return chosen

    def source(self, name: str) -> str:
        self.cell(name)
        return self.page.evaluate(SOURCE)

    def type(self, name: str, code: str) -> None:
        """Put ``code`` where the cell's text was."""
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(code)
        self.page.wait_for_function(f"code => ({SOURCE})() === code", arg=code)
        self.page.keyboard.press("Escape")

    def add(self, below: str, code: str) -> str:
        """A new cell with ``code``; its id."""
        self.cell(below)
        self.page.keyboard.press("b")
        name = self.page.evaluate(f"{ACTIVE}.model.id")
        self.type(name, code)
        return name

    def start(self, name: str):
        """Run the cell, and wait only until it has begun."""
        cell = self.cell(name)
        before = cell.locator(".jp-InputPrompt").inner_text()
        self.page.keyboard.press("Control+Enter")
        playwright.expect(cell.locator(".jp-InputPrompt")).not_to_have_text(before)
        return cell

    def run(self, name: str, patience: int = WAIT):
        """Run the cell, and wait until it is done."""
        return self.finish(self.start(name), patience)

    def finish(self, cell, patience: int = WAIT):
        """Wait until the cell is done; what is run before that may be dropped after an error."""
        number = re.compile(r"\[\d+\]")
        playwright.expect(cell.locator(".jp-InputPrompt")).to_have_text(number, timeout=patience)
        return cell

    def save(self) -> None:
        self.page.keyboard.press("ControlOrMeta+S")
        self.page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], patience: int = WAIT) -> bool:
    """Whether ``condition`` came to hold in time."""
    deadline = time.monotonic() + patience / 1000
    while not (holds := condition()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return holds


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except OSError:
        return False
    return True


@contextmanager
def running_lab(folder: Path, command: Sequence[str] = ("jupyter", "lab"), **environment: str):
    """A JupyterLab of its own: loopback only, a token, no settings but those made here. Gives the
    address of a page by its path, as a format.

    Args:
        folder: what it shows; where the command is another, what holds its settings and its log.
        command: the module that starts it, and the module's arguments.
    """
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    news = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(news))
    port, token, log = free_port(), secrets.token_hex(16), folder / "lab.log"
    environment = os.environ | environment | {
        "JUPYTER_TOKEN": token, "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "PYTHONPATH": str(Path(__file__).parent.parent),
        **{f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")},
    }
    shown = [f"--ServerApp.root_dir={folder}"] if command[0] == "jupyter" else []
    words = [sys.executable, "-m", *command, "--no-browser", "--allow-root", "--ip=127.0.0.1",
             f"--port={port}", "--ServerApp.port_retries=0",
             "--LabApp.expose_app_in_browser=True", *shown]
    with log.open("wb") as output:
        server = subprocess.Popen(words, cwd=folder, env=environment, stdout=output, stderr=output)
        try:
            status = f"http://127.0.0.1:{port}/api/status?token={token}"
            wait_until(lambda: server.poll() is not None or answers(status), 3 * WAIT)
            assert answers(status), f"exit code {server.poll()}\n{log.read_text()}"
            yield f"http://127.0.0.1:{port}/{{}}?token={token}"
        finally:
            server.terminate()
            server.wait(timeout=20)
