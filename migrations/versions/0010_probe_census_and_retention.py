"""Probe, census and retention"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "probe",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("filler", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_probe")),
    )
    op.create_table(
        "census",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("figures", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_census")),
    )
    op.create_table(
        "retention",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("row_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_retention")),
    )
    op.add_column("match", sa.Column("pruned_at", sa.DateTime(timezone=True), nullable=True))
    _index("ix_match_unpruned", "match", ["ended_at"], "ended_at IS NOT NULL AND pruned_at IS NULL")
    _index("ix_entry_snapshot", "entry", ["made_at", "match_id", "n"], "state IS NOT NULL")
    _index("ix_letter_retried", "letter", ["created_at"], "attempts > 1 AND due_at IS NOT NULL")
    _index("ix_player_stopped", "player", ["id"], "stopped_at IS NOT NULL")


def _index(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, postgresql_where=where, sqlite_where=where)
