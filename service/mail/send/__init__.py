"""Sending what is owed: by SMTP, one letter, digest or copy at a time."""
