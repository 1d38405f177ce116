"""The count of who has sat on a seat is called occupancy.

Revision ID: 0013
Revises: 0012
"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLES = ("seat", "key")


def upgrade() -> None:
    """Rename the column in both tables."""
    for table in TABLES:
        # Both databases rename in place; SQLite's batch mode would copy every row.
        op.execute(f'ALTER TABLE "{table}" RENAME COLUMN tenant TO occupancy')


def downgrade() -> None:
    """Rename it back."""
    for table in TABLES:
        op.execute(f'ALTER TABLE "{table}" RENAME COLUMN occupancy TO tenant')
