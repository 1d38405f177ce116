"""Replies, time and manners"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "absence",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_absence_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absence")),
    )
    op.create_index(op.f("ix_absence_player_id"), "absence", ["player_id"], unique=False)

    op.create_table(
        "alias",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_alias_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alias")),
        sa.UniqueConstraint("player_id", "email", name=op.f("uq_alias_player_id_email")),
    )
    op.create_index(op.f("ix_alias_player_id"), "alias", ["player_id"], unique=False)

    op.create_table(
        "inbound",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("dedupe", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=24), nullable=False),
        sa.Column("envelope_from", sa.String(length=320), nullable=True),
        sa.Column("recipient", sa.String(length=320), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("verdict", sa.String(length=32), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pending_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_inbound_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_inbound_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_inbound_dedupe")),
    )
    op.create_index(op.f("ix_inbound_match_id"), "inbound", ["match_id"], unique=False)
    op.create_index(
        "ix_inbound_pending",
        "inbound",
        ["pending_since"],
        unique=False,
        postgresql_where=sa.text("pending_since IS NOT NULL"),
        sqlite_where=sa.text("pending_since IS NOT NULL"),
    )
    op.create_index(
        "ix_inbound_kept",
        "inbound",
        ["done_at"],
        unique=False,
        postgresql_where=sa.text("done_at IS NOT NULL AND purged_at IS NULL"),
        sqlite_where=sa.text("done_at IS NOT NULL AND purged_at IS NULL"),
    )

    op.create_table(
        "mailplace",
        sa.Column("mailbox", sa.String(length=400), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name=op.f("pk_mailplace")),
    )

    op.create_table(
        "message",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("dedupe", sa.String(length=128), nullable=False),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column(
            "player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_message_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_message_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_message_dedupe")),
    )
    op.create_index(op.f("ix_message_match_id"), "message", ["match_id"], unique=False)

    op.create_table(
        "pause",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_pause_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pause")),
    )
    op.create_index(op.f("ix_pause_match_id"), "pause", ["match_id"], unique=False)
    op.create_index(
        "ix_pause_until",
        "pause",
        ["until"],
        unique=False,
        postgresql_where=sa.text("until IS NOT NULL"),
        sqlite_where=sa.text("until IS NOT NULL"),
    )

    op.create_table(
        "pulse",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_pulse")),
    )

    op.create_table(
        "tally",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("labels", sa.String(length=120), nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", "labels", "part", name=op.f("pk_tally")),
    )

    op.create_index(
        "ix_decision_open",
        "decision",
        ["opened_at"],
        unique=False,
        postgresql_where=sa.text("closed_entry IS NULL"),
        sqlite_where=sa.text("closed_entry IS NULL"),
    )
    for table in ("submission", "inbound", "letter"):
        shelved = sa.text("status = 'shelved'")
        op.create_index(
            f"ix_{table}_shelved",
            table,
            ["id"],
            unique=False,
            postgresql_where=shelved,
            sqlite_where=shelved,
        )
    op.add_column("decision", sa.Column("clock_from", sa.DateTime(timezone=True), nullable=True))
    op.add_column("decision", sa.Column("allowance", sa.Integer(), nullable=True))
    op.add_column("decision", sa.Column("held", sa.String(length=12), nullable=True))
    op.add_column("decision", sa.Column("expired_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("decision", sa.Column("nudged_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("decision", sa.Column("calendar_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "decision",
        sa.Column("calendar_sequence", sa.Integer(), nullable=False, server_default="0"),
    )

    op.add_column(
        "entry", sa.Column("revealed", sa.Boolean(), nullable=False, server_default=sa.true())
    )

    op.add_column("match", sa.Column("bank_hours", sa.Integer(), nullable=True))
    op.add_column("match", sa.Column("increment_hours", sa.Integer(), nullable=True))
    op.add_column(
        "match", sa.Column("playing_days", sa.Integer(), nullable=False, server_default="127")
    )
    op.add_column(
        "match", sa.Column("timeout", sa.String(length=8), nullable=False, server_default="wait")
    )
    op.add_column(
        "match", sa.Column("hold_minutes", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("match", sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("match", sa.Column("watched_entry", sa.Integer(), nullable=True))

    op.add_column("player", sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("player", sa.Column("stopped_why", sa.String(length=12), nullable=True))
    op.add_column(
        "player", sa.Column("bounce_score", sa.Double(), nullable=False, server_default="0")
    )
    op.add_column("player", sa.Column("bounced_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("player", sa.Column("quiet_from", sa.Integer(), nullable=True))
    op.add_column("player", sa.Column("quiet_to", sa.Integer(), nullable=True))
    op.add_column(
        "player",
        sa.Column("reminders", sa.JSON(), nullable=False, server_default='["half", "24h", "4h"]'),
    )
    op.add_column("player", sa.Column("digest_at", sa.Integer(), nullable=True))
    op.add_column(
        "player",
        sa.Column("thread_by", sa.String(length=8), nullable=False, server_default="match"),
    )

    op.add_column("seat", sa.Column("stand_in", sa.String(length=32), nullable=True))
    op.add_column("seat", sa.Column("left_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("seat", sa.Column("left_why", sa.String(length=12), nullable=True))
    op.add_column("seat", sa.Column("left_entry", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("successor_of", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("tenant", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("former", sa.JSON(), nullable=True))
    op.add_column("seat", sa.Column("muted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("seat", sa.Column("digest", sa.Boolean(), nullable=True))
    op.add_column("seat", sa.Column("bank_left", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("seen_entry", sa.Integer(), nullable=True))

    op.add_column("submission", sa.Column("held_until", sa.DateTime(timezone=True), nullable=True))
    # The clocks of decisions that are open already: they run as before, and can now be held.
    op.execute(
        "UPDATE decision SET clock_from = opened_at, allowance = 86400 * "
        "(SELECT pace_days FROM match WHERE match.id = decision.match_id) "
        "WHERE deadline IS NOT NULL AND closed_entry IS NULL"
    )
