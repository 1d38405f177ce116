"""Why letters of a match are muted"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat", sa.Column("muted_why", sa.String(length=12), nullable=True))
