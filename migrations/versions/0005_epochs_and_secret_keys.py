"""Epochs, and fingerprints of secret keys"""

from __future__ import annotations

import datetime as dt
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    epoch = op.create_table(
        "epoch",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("mark", sa.String(length=32), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("copied_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_match", sa.BigInteger(), nullable=True),
        sa.Column("last_player", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_epoch")),
    )
    op.create_table(
        "secretkey",
        sa.Column("fingerprint", sa.String(length=16), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_secretkey")),
    )
    op.add_column("key", sa.Column("tenant", sa.Integer(), nullable=True))
    op.add_column("key", sa.Column("secret", sa.String(length=16), nullable=True))
    op.add_column("key", sa.Column("epoch", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("letter", sa.Column("epoch", sa.Integer(), nullable=True))
    op.add_column("letter", sa.Column("secret", sa.String(length=16), nullable=True))

    op.bulk_insert(
        epoch,
        [{"number": 1, "mark": secrets.token_hex(16), "began_at": dt.datetime.now(dt.UTC)}],
    )
    # Keys of who has given a seat up were deleted: those left are of who sits there now.
    op.execute(
        'UPDATE "key" SET tenant = (SELECT tenant FROM seat WHERE seat.match_id = "key".match_id '
        'AND seat.seat = "key".seat) WHERE "key".seat IS NOT NULL'
    )
