"""Entries know orders, which are replaced as often as their players like, and turns.

What an entry or a decision of before was of is not known: such rows belong to no turn.

Revision ID: 0016
Revises: 0015
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_ENTRIES = sa.table("entry", sa.column("n", sa.Integer()), sa.column("number", sa.Integer()))
_DECISIONS = sa.table(
    "decision", sa.column("asks", sa.String()), sa.column("blocking", sa.Boolean())
)


def _asks() -> sa.Column[str]:
    return sa.Column("asks", sa.String(6), nullable=False, server_default="must")


def _turn() -> sa.Column[str]:
    return sa.Column("turn", sa.String(32), nullable=False, server_default="")


def _create_index(name: str, columns: list[str], condition: str, *, unique: bool = False) -> None:
    where = sa.text(condition)
    op.create_index(
        name, "entry", columns, unique=unique, postgresql_where=where, sqlite_where=where
    )


def upgrade() -> None:
    """Add the columns; what is unique is what had to be decided."""
    # SQLite copies the table to take a constraint off, and does not copy what an index leaves out.
    op.drop_index("ix_entry_snapshot", "entry")
    with op.batch_alter_table("entry") as entries:
        entries.add_column(sa.Column("number", sa.Integer(), nullable=False, server_default="0"))
        entries.add_column(_turn())
        entries.add_column(_asks())
        entries.add_column(
            sa.Column("sealed", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        entries.drop_constraint("uq_entry_match_id_decision", type_="unique")
    op.execute(_ENTRIES.update().values(number=_ENTRIES.c.n))
    _create_index("ix_entry_made", ["match_id", "decision"], "asks = 'must'", unique=True)
    _create_index("ix_entry_snapshot", ["made_at", "match_id", "n"], "state IS NOT NULL")
    op.add_column("decision", _turn())
    op.add_column("decision", _asks())
    op.execute(_DECISIONS.update().where(~_DECISIONS.c.blocking).values(asks="may"))
    op.drop_column("decision", "blocking")


def downgrade() -> None:
    """Remove them. Orders that were filed twice make this impossible."""
    op.add_column(
        "decision", sa.Column("blocking", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.execute(_DECISIONS.update().where(_DECISIONS.c.asks != "must").values(blocking=sa.false()))
    op.drop_column("decision", "asks")
    op.drop_column("decision", "turn")
    op.drop_index("ix_entry_snapshot", "entry")
    op.drop_index("ix_entry_made", "entry")
    with op.batch_alter_table("entry") as entries:
        entries.drop_column("sealed")
        entries.drop_column("asks")
        entries.drop_column("turn")
        entries.drop_column("number")
        entries.create_unique_constraint("uq_entry_match_id_decision", ["match_id", "decision"])
    _create_index("ix_entry_snapshot", ["made_at", "match_id", "n"], "state IS NOT NULL")
