"""Compiled templates for every process, kept beside their source as Python keeps its own.

Making what letters need takes seconds; reading what was made, a tenth of one. The rules are those
of PEP 3147: `templates/__pycache__`, or its place below PYTHONPYCACHEPREFIX; nothing is written
with PYTHONDONTWRITEBYTECODE, or where it cannot be. Compiled templates are run as code: whoever may
write there has to be trusted as who may write the templates themselves.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from tempfile import NamedTemporaryFile

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

KEPT = 16
"""Folders of compiled templates that are kept: those of four versions of the product, each with two
languages for pages and letters.
"""


def folder_beside(templates: Path, name: str) -> Path:
    """The folder of this name for what is made of templates; it need not be there."""
    return Path(cache_from_source(str(templates / "any.py"))).parent / name


def keep(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; not at all where Python would keep nothing either."""
    if sys.dont_write_bytecode:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            new = Path(file.name)
            try:
                file.write(content)
                file.flush()
                # Readable for who runs it, if somebody else has installed it.
                new.chmod(0o644)
                new.replace(path)
            except OSError:
                new.unlink()


class CompiledTemplates(BytecodeCache):
    """The compiled templates of one environment, in a folder of their own.

    The folder is named for all that the code depends on besides the template's source, which Jinja
    compares itself: Python, Jinja, the modules that make the environment (`made_by`) and whatever
    else tells it from others (`apart`). So versions of the product may stand side by side: a new
    folder takes the place of the one that no process has begun to use for longest. Whatever is not
    there or cannot be read is compiled again, also by a process whose folder was taken away.
    """

    def __init__(self, templates: Path, made_by: Iterable[str], *apart: str) -> None:
        kind = sha256(MAGIC_NUMBER)
        for part in (jinja2.__version__, *apart):
            kind.update(b"\0" + part.encode())
        for module in made_by:
            kind.update(b"\0" + Path(module).read_bytes())
        self.folder = folder_beside(templates, f"{_FOLDER}{kind.hexdigest()[:16]}")
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                os.utime(self.folder)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Jinja's hook: fill the bucket, or leave it empty."""
        with suppress(OSError), self._path(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Jinja's hook: keep what was compiled."""
        if not self.folder.exists() and not sys.dont_write_bytecode:
            _make_room(self.folder.parent)
        keep(self._path(bucket), bucket.bytecode_to_string())

    def _path(self, bucket: Bucket) -> Path:
        return self.folder / f"{bucket.key}.jinja"


_FOLDER = "templates-"


def _make_room(parent: Path) -> None:
    """Remove the folders that were not used for longest, so that there is room for one more."""
    used: list[tuple[int, Path]] = []
    with suppress(OSError):
        for folder in parent.glob(f"{_FOLDER}*"):
            # Another process may be removing it, too.
            with suppress(OSError):
                used.append((folder.stat().st_mtime_ns, folder))
    for _, folder in sorted(used, reverse=True)[KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)
