"""Reading mail: bytes in, structs out.

Pure: no database, no network, no clock, no Flask. Nothing here raises, whatever the bytes, and the
work is bounded by the length of what came in: anybody may write to a reply address.
"""
