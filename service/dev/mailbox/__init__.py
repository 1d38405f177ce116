"""The built-in mailbox: keeps every letter instead of sending it, and shows what was kept.

For play and tests only. Everybody who reaches its pages reads everybody's letters.
"""
