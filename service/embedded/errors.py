"""What can keep the embedded product from starting, each told in one sentence."""

from __future__ import annotations


class CannotStart(Exception):
    """The product cannot start, or not go on; the text is the sentence for the operator."""
