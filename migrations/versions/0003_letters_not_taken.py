"""Letters that the mail server has not taken"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("letter", sa.Column("faults", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("letter", sa.Column("claim", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("letter", sa.Column("failure", sa.String(length=12), nullable=True))
    op.add_column("letter", sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("letter", sa.Column("written_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("letter", sa.Column("message", sa.LargeBinary(), nullable=True))
    op.add_column("letter", sa.Column("fingerprint", sa.LargeBinary(), nullable=True))
    op.add_column(
        "letter",
        sa.Column("told_in", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
    )
    op.create_table(
        "breaker",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("open_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_breaker")),
    )
