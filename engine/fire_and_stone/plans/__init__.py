"""Plans with conditions (F§19): what they are made of, and what one says to an open decision."""
