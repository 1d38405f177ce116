"""A turn: its page, choosing by touch, its preview, its verdict."""
