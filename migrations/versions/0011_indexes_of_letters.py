"""Indexes of letters"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        op.f("ix_letter_match_id_decision_player_id"),
        "letter",
        ["match_id", "decision", "player_id"],
    )
    op.create_index(op.f("ix_letter_player_id_match_id"), "letter", ["player_id", "match_id"])
    answers = sa.text("kind = 'answer'")
    op.create_index(
        "ix_letter_answers",
        "letter",
        ["player_id", "created_at"],
        postgresql_where=answers,
        sqlite_where=answers,
    )
    op.drop_index(op.f("ix_letter_match_id"), table_name="letter")
    op.drop_index(op.f("ix_letter_player_id"), table_name="letter")


def downgrade() -> None:
    op.create_index(op.f("ix_letter_player_id"), "letter", ["player_id"])
    op.create_index(op.f("ix_letter_match_id"), "letter", ["match_id"])
    op.drop_index("ix_letter_answers", table_name="letter")
    op.drop_index(op.f("ix_letter_player_id_match_id"), table_name="letter")
    op.drop_index(op.f("ix_letter_match_id_decision_player_id"), table_name="letter")
