"""Tables have names, and hosts a word for those they invite.

Revision ID: 0019
Revises: 0018
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Tables there are keep the subject their letters have: they get no name."""
    op.add_column("match", sa.Column("name", sa.String(60), nullable=True))
    op.add_column("match", sa.Column("greeting", sa.Text(), nullable=True))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("match", "greeting")
    op.drop_column("match", "name")
