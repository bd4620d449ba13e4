"""JupyterLab and a headless Chromium for tests: started for one folder, and stopped.

Needs the extra ``browser`` and a Chromium: ``OL_CHROMIUM``, or one on the path. A module that
imports this one is skipped without the former, and says ``needs_chromium`` of the latter.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="extra 'browser' not installed")

CHROMIUM = os.environ.get("OL_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

WAIT = 30_000  # milliseconds, for a machine with much else to do
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + WAIT / 1000
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")


@contextmanager
def running_lab(folder: Path, **environment: str):
    """A JupyterLab of its own: loopback only, a token, no settings but those made here. Gives the
    address of a page by its path, as a format."""
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
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root",
               "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0",
               "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={folder}"]
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=output,
                                  stderr=output)
        try:
            wait_for(f"http://127.0.0.1:{port}/api/status?token={token}", server, log)
            yield f"http://127.0.0.1:{port}/{{}}?token={token}"
        finally:
            server.terminate()
            server.wait(timeout=20)
