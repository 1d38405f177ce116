"""What an error of ours gave up is called so where verdicts and results are kept.

Revision ID: 0018
Revises: 0017
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_COLUMNS = (("submission", "verdict"), ("letter", "details"))


def upgrade() -> None:
    """Rename the code."""
    _rename("shelved", "given_up")


def downgrade() -> None:
    """Rename it back."""
    _rename("given_up", "shelved")


def _rename(old: str, new: str) -> None:
    for name, kept in _COLUMNS:
        table = sa.table(name, sa.column("id", sa.Integer()), sa.column(kept, sa.JSON()))
        column = table.c[kept]
        found = sa.select(table.c.id, column).where(sa.cast(column, sa.Text()).like(f'%"{old}"%'))
        for number, value in op.get_bind().execute(found).all():
            renamed = {kept: _renamed(value, old, new)}
            op.execute(table.update().where(table.c.id == number).values(renamed))


def _renamed(value: Any, old: str, new: str) -> Any:
    """The value with another code where one is this, at whatever depth."""
    if isinstance(value, list):
        return [_renamed(item, old, new) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: new if key == "code" and item == old else _renamed(item, old, new)
        for key, item in value.items()
    }
