"""The ways in for mail: LMTP and SMTP, webhooks, and a mailbox that is looked through.

All of them hand the whole mail to `service.mail.receive.inbound.take`, and acknowledge it only when
that is committed.
"""
