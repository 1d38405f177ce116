"""Players keep private notes of a match, say a line with a turn, and may show their punctuality.

Revision ID: 0020
Revises: 0019
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_TEXTS = (("seat", "note"), ("entry", "said"), ("submission", "said"))


def upgrade() -> None:
    """Add what is kept. Nobody has a note, has said anything or shows anything yet."""
    for table, column in _TEXTS:
        op.add_column(table, sa.Column(column, sa.Text(), nullable=True))
    op.add_column(
        "player",
        sa.Column("shows_punctuality", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_column("player", "shows_punctuality")
    for table, column in _TEXTS:
        op.drop_column(table, column)
