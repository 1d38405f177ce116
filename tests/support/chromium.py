"""Where Chromium is, and how it is started without talking to anybody."""

from __future__ import annotations

import shutil

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No second process for the page that a link leads to: a sixth of what a page takes.
    "--renderer-process-limit=1",
]

PATIENCE = 300_000
"""Milliseconds after which a page is taken to hang: a machine may be busy with something else."""

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no window at all, and takes 40 % less of a processor."""


def chromium() -> str:
    """The path of the browser. Raises RuntimeError if there is none."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise RuntimeError("Chromium is not installed: run `make packages`")
