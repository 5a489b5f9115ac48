"""Makes the pictures of README.md and of the site: what `pipelint check` prints, and the pages of `profile` and `tune`.

Run it from the root of a checkout: `python docs/make_pictures.py`. The pages need TensorFlow and Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PICTURES = Path(__file__).parent / "pictures"
PIPELINT = [sys.executable, "-m", "pipelint"]
WIDTH = 100


def check() -> None:
    """The terminal after `pipelint check` of the demo, with the diff of its repairs, as SVG."""
    from rich.console import Console
    from rich.text import Text

    environment = {**os.environ, "COLUMNS": str(WIDTH), "PIPELINT_NO_CACHE": "1"}
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"))  # noqa: SIM115  # lives as long as the run
    for arguments in (["check", "fixtures/demo.py"], ["check", "--diff", "--unsafe-fixes", "fixtures/demo.py"]):
        command = [*PIPELINT, *arguments, "--exit-zero", "--color=always"]
        shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603  # pipelint itself
        console.print(Text(f"$ pipelint {' '.join(arguments)}", style="bold"))
        console.print(Text.from_ansi(shown.stdout))
    drawn = console.export_svg(title="pipelint check")
    # The fonts of a page elsewhere are not asked for; every system has a monospaced one.
    (PICTURES / "check.svg").write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL), "utf-8")


def profile() -> None:
    """The page of `pipelint profile` for a script of fixtures/, as PNG."""
    _page("profile", "fixtures/slow/random_augmentation.py")


def tune() -> None:
    """The page of `pipelint tune` for another."""
    _page("tune", "fixtures/slow/text_lines.py", "--minutes=2")


def _page(name: str, *arguments: str) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / f"{name}.html"
        command = [*PIPELINT, name, *arguments, "--output-format=html", f"--output-file={page}"]
        subprocess.run(command, check=True)  # noqa: S603  # pipelint itself
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        view = browser.new_page(viewport={"width": 1100, "height": 760})
        view.goto(page.as_uri())
        view.screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for made in sys.argv[1:] or ["check", "profile", "tune"]:
        {"check": check, "profile": profile, "tune": tune}[made]()
