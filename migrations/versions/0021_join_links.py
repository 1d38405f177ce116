"""Tables have join links, wait for empty seats, and keep seats for who has asked for one.

Revision ID: 0021
Revises: 0020
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_INVITING = sa.text("fill_until IS NOT NULL AND status = 'inviting'")


def upgrade() -> None:
    """Add the columns. The tables there are have no empty seats."""
    op.add_column(
        "match", sa.Column("join_links", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("match", sa.Column("join_until", _MOMENT, nullable=True))
    op.add_column("match", sa.Column("fill_until", _MOMENT, nullable=True))
    op.create_index(
        "ix_match_fill_until",
        "match",
        ["fill_until"],
        postgresql_where=_INVITING,
        sqlite_where=_INVITING,
    )
    op.add_column("seat", sa.Column("held_until", _MOMENT, nullable=True))


def downgrade() -> None:
    """Remove them, with the seats nobody has; who has not confirmed theirs is asked no more."""
    op.execute("UPDATE seat SET status = 'withdrawn' WHERE status = 'joining'")
    op.execute("DELETE FROM seat WHERE status = 'empty'")
    op.execute("DELETE FROM letter WHERE kind IN ('join', 'declined')")
    op.execute("DELETE FROM key WHERE purpose = 'join'")
    op.drop_index("ix_match_fill_until", "match")
    op.drop_column("seat", "held_until")
    op.drop_column("match", "fill_until")
    op.drop_column("match", "join_until")
    op.drop_column("match", "join_links")
