"""The product on one machine, around the service: processes, a mailbox, a gallery."""
