"""What the seed of a match is made of. Matches and open tables of before keep their seed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("secret", sa.LargeBinary(), nullable=True))
    op.add_column("match", sa.Column("commitment", sa.String(length=64), nullable=True))
    op.add_column("match", sa.Column("parts", sa.LargeBinary(), nullable=True))
    op.add_column("seat", sa.Column("part", sa.LargeBinary(), nullable=True))
