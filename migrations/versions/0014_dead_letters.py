"""What failed too often has the status dead_letter; when a bot's job was enqueued is called so.

Revision ID: 0014
Revises: 0013
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TABLES = ("submission", "letter", "inbound")


def upgrade() -> None:
    """Rename the status, the verdict of mails, the label under which both are counted, and the
    column.
    """
    _rename("shelved", "dead_letter", verdict=("shelved", "dead-letter"))
    _rename_column("rung", "enqueued")


def downgrade() -> None:
    """Rename them back."""
    _rename_column("enqueued", "rung")
    _rename("dead_letter", "shelved", verdict=("dead-letter", "shelved"))


def _rename(old: str, new: str, *, verdict: tuple[str, str]) -> None:
    for table in TABLES:
        # While the old index is there, these few rows are found by it.
        op.execute(f"UPDATE {table} SET status = '{new}' WHERE status = '{old}'")  # noqa: S608
        op.drop_index(f"ix_{table}_{old}", table_name=table)
        dead = sa.text(f"status = '{new}'")
        op.create_index(
            f"ix_{table}_{new}", table, ["id"], postgresql_where=dead, sqlite_where=dead
        )
    was, word = verdict
    op.execute(
        f"UPDATE inbound SET verdict = '{word}' "  # noqa: S608
        f"WHERE status = '{new}' AND verdict = '{was}'"
    )
    for names, label, becomes in (("'turns', 'letters'", old, new), ("'mails'", was, word)):
        op.execute(
            f"UPDATE tally SET labels = replace(labels, '|{label}', '|{becomes}') "  # noqa: S608
            f"WHERE name IN ({names}) AND labels LIKE '%|{label}'"
        )


def _rename_column(old: str, new: str) -> None:
    op.drop_index(f"ix_decision_{old}", table_name="decision")
    # Both databases rename in place; SQLite's batch mode would copy every row.
    op.execute(f"ALTER TABLE decision RENAME COLUMN {old}_at TO {new}_at")
    still = sa.text(f"{new}_at IS NOT NULL AND closed_entry IS NULL")
    op.create_index(
        f"ix_decision_{new}",
        "decision",
        [f"{new}_at"],
        postgresql_where=still,
        sqlite_where=still,
    )
