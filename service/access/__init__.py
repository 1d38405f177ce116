"""What links and reply addresses open, and how they are made."""
