"""Each process reads the code it runs, and no more: what is read stays in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from service.core.schema import upgrade
from service.core.startup import require_database
from service.ops import processes
from service.ops.processes import Serving
from tests.support.tables import settings_for

ROOT = Path(__file__).resolve().parents[2]
SERVING = Serving.from_env({})
LOADED = """
import json, os, sys
{body}
files = [os.readlink(f"/proc/self/fd/{{name}}") for name in os.listdir("/proc/self/fd") if
         os.path.exists(f"/proc/self/fd/{{name}}")]
print(json.dumps([sorted(sys.modules), files, {found}]))
"""


def loaded(database: str, body: str, found: str) -> tuple[set[str], list[str], list[str]]:
    """The modules, the open files and what was asked for of a process that has started so."""
    env = {
        **os.environ,
        "SECRET_KEY": "test-" * 8,
        "DATABASE_URL": database,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SMTP_URL": "smtp://127.0.0.1:1",
        "BASE_URL": "http://paleopost.test",
        "MAIL_DOMAIN": "paleopost.test",
    }
    code = LOADED.format(body=body, found=found)
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    modules, files, asked = json.loads(done.stdout)
    return set(modules), files, asked


def celery(command: Sequence[str], database: str) -> tuple[set[str], list[str]]:
    """The modules and the tasks of a command of Celery, once it has started."""
    (app,) = (word.removeprefix("--app=") for word in command if word.startswith("--app="))
    body = f"from {app} import app; app.loader.init_worker(); app.finalize()"
    modules, _, tasks = loaded(database, body, "sorted(app.tasks)")
    return modules, tasks


def test_the_beat_has_no_tasks(tmp_path: Path) -> None:
    modules, tasks = celery(processes.beat(), f"sqlite:///{tmp_path}/unused.db")
    assert all(name.startswith("celery.") for name in tasks)
    assert not modules & {"workers.tasks", "service.core.context", "sqlalchemy", "jinja2", "PIL"}


def test_workers_have_all_tasks(tmp_path: Path) -> None:
    for command in (processes.worker(SERVING), processes.mailer(SERVING)):
        modules, tasks = celery(command, f"sqlite:///{tmp_path}/unused.db")
        assert {"moves.play", "mail.deliver", "inbound.handle", "time.sweep"} <= set(tasks)
        assert not modules & {"dns", "flask", "service.cli", "service.dev.gallery.sample"}


def test_pages_run_no_tasks_and_hold_nothing_open_before_the_fork(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/pages.db"
    upgrade(url)
    require_database(settings_for(url))
    modules, files, frozen = loaded(url, "import gc, wsgi", "[str(gc.get_freeze_count() > 0)]")
    assert not modules & {
        "workers.tasks",
        "dns",
        "service.dev.gallery.web",
        "service.dev.mailbox.web",
    }
    assert not [name for name in files if "pages.db" in name]
    assert frozen == ["True"]
    assert "--preload" in processes.web(SERVING)
