"""Tables of matches, moves and letters"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("suppressed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("email", name=op.f("uq_player_email")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.LargeBinary(), nullable=False),
        sa.Column("pace_days", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed_hash", sa.String(length=64), nullable=False),
        sa.Column("setup", sa.LargeBinary(), nullable=True),
        sa.Column("last_entry", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.LargeBinary(), nullable=True),
        sa.Column(
            "rematch_of", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["player.id"], name=op.f("fk_match_host_id")),
        sa.ForeignKeyConstraint(["rematch_of"], ["match.id"], name=op.f("fk_match_rematch_of")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("code", name=op.f("uq_match_code")),
    )
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_match_rematch_of"), ["rematch_of"], unique=False)
        batch_op.create_index(batch_op.f("ix_match_status"), ["status"], unique=False)

    op.create_table(
        "decision",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("decision", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("blocking", sa.Boolean(), nullable=False),
        sa.Column("opened_entry", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_entry", sa.Integer(), nullable=True),
        sa.Column("rung_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_decision_match_id")),
        sa.PrimaryKeyConstraint("match_id", "decision", name=op.f("pk_decision")),
    )
    with op.batch_alter_table("decision", schema=None) as batch_op:
        batch_op.create_index(
            "ix_decision_deadline",
            ["deadline"],
            unique=False,
            postgresql_where=sa.text("deadline IS NOT NULL AND closed_entry IS NULL"),
            sqlite_where=sa.text("deadline IS NOT NULL AND closed_entry IS NULL"),
        )
        batch_op.create_index(
            "ix_decision_rung",
            ["rung_at"],
            unique=False,
            postgresql_where=sa.text("rung_at IS NOT NULL AND closed_entry IS NULL"),
            sqlite_where=sa.text("rung_at IS NOT NULL AND closed_entry IS NULL"),
        )

    op.create_table(
        "entry",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("decision", sa.String(length=32), nullable=True),
        sa.Column("actions", sa.LargeBinary(), nullable=False),
        sa.Column("draws", sa.LargeBinary(), nullable=False),
        sa.Column("cause", sa.String(length=48), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("next_draw", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_entry_match_id")),
        sa.PrimaryKeyConstraint("match_id", "n", name=op.f("pk_entry")),
        sa.UniqueConstraint("match_id", "decision", name=op.f("uq_entry_match_id_decision")),
    )
    op.create_table(
        "key",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=12), nullable=False),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("decision", sa.String(length=32), nullable=True),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_key_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_key_player_id")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_key")),
    )
    with op.batch_alter_table("key", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_key_match_id"), ["match_id"], unique=False)

    op.create_table(
        "letter",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("dedupe", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column(
            "player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("decision", sa.String(length=32), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_letter_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_letter_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_letter_dedupe")),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(
            "ix_letter_due",
            ["due_at"],
            unique=False,
            postgresql_where=sa.text("due_at IS NOT NULL"),
            sqlite_where=sa.text("due_at IS NOT NULL"),
        )
        batch_op.create_index(batch_op.f("ix_letter_match_id"), ["match_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_player_id"), ["player_id"], unique=False)

    op.create_table(
        "seat",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("bot", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_seat_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("match_id", "seat", name=op.f("uq_seat_match_id_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_player_id"), ["player_id"], unique=False)

    op.create_table(
        "submission",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=32), nullable=False),
        sa.Column("source", sa.String(length=48), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("dedupe", sa.String(length=128), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pending_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_submission_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("code", name=op.f("uq_submission_code")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_submission_dedupe")),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_match_id"), ["match_id"], unique=False)
        batch_op.create_index(
            "ix_submission_pending",
            ["pending_since"],
            unique=False,
            postgresql_where=sa.text("pending_since IS NOT NULL"),
            sqlite_where=sa.text("pending_since IS NOT NULL"),
        )


def downgrade() -> None:
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_submission_pending",
            postgresql_where=sa.text("pending_since IS NOT NULL"),
            sqlite_where=sa.text("pending_since IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_submission_match_id"))

    op.drop_table("submission")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_player_id"))

    op.drop_table("seat")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_letter_player_id"))
        batch_op.drop_index(batch_op.f("ix_letter_match_id"))
        batch_op.drop_index(
            "ix_letter_due",
            postgresql_where=sa.text("due_at IS NOT NULL"),
            sqlite_where=sa.text("due_at IS NOT NULL"),
        )

    op.drop_table("letter")
    with op.batch_alter_table("key", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_key_match_id"))

    op.drop_table("key")
    op.drop_table("entry")
    with op.batch_alter_table("decision", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_decision_rung",
            postgresql_where=sa.text("rung_at IS NOT NULL AND closed_entry IS NULL"),
            sqlite_where=sa.text("rung_at IS NOT NULL AND closed_entry IS NULL"),
        )
        batch_op.drop_index(
            "ix_decision_deadline",
            postgresql_where=sa.text("deadline IS NOT NULL AND closed_entry IS NULL"),
            sqlite_where=sa.text("deadline IS NOT NULL AND closed_entry IS NULL"),
        )

    op.drop_table("decision")
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_match_status"))
        batch_op.drop_index(batch_op.f("ix_match_rematch_of"))

    op.drop_table("match")
    op.drop_table("player")
