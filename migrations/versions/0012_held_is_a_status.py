"""Turns that wait so that they can be taken back have a status of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_TURNS = sa.table(
    "submission",
    sa.column("status", sa.String()),
    sa.column("held_until", sa.DateTime(timezone=True)),
    sa.column("verdict", sa.JSON()),
)


def upgrade() -> None:
    op.execute(
        _TURNS.update()
        .where(
            _TURNS.c.status == "received",
            _TURNS.c.held_until.is_not(None),
            # What was looked at before it was held; a verdict that was taken away is a JSON null.
            sa.cast(_TURNS.c.verdict, sa.Text()) != "null",
        )
        .values(status="held")
    )
