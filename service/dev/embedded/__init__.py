"""Everything on one machine: all processes of the product, started and kept running together."""
