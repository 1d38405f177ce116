"""Decisions are found by the entry they were asked after: several may be asked at once.

Revision ID: 0015
Revises: 0014
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_decision_asked", "decision", ["match_id", "opened_entry", "kind"])


def downgrade() -> None:
    """Remove it."""
    op.drop_index("ix_decision_asked", table_name="decision")
