"""Marks that our own letters carry so that a quoted copy of them is known.

Marks, no words: what a letter says beside them is in its templates, in the reader's language.
"""

from __future__ import annotations

SAMPLE = "~ "
"""Begins every line of a sample order in a letter; `service.mail.render.letter_context` writes it.
"""

REPLY_ABOVE = "~ ~ ~"
"""Begins the line near the top of a letter above which an answer is written. An answer
below it counts where the mail program marks what it quotes; where it does not, it is taken for the
letter's or asked about. As it begins like a sample, it is never an order.
"""

LETTER_END = "~ ~ ~"
"""Alone in its line it ends a letter: where a mail program quotes without marks, what stands below
is the player's again.
"""
