"""Owing letters: what is to be sent, to whom and under what name. Sending it is `mail.send`."""
