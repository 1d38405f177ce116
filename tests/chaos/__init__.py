"""The whole product with real processes under faults: `make chaos`."""
