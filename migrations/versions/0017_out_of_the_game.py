"""Seats know at which entry they went out of the game.

Revision ID: 0017
Revises: 0016
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. In the matches there are nobody can go out."""
    op.add_column("seat", sa.Column("out_entry", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Remove it."""
    with op.batch_alter_table("seat") as table:
        table.drop_column("out_entry")
