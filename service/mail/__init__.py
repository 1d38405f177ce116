"""Mail: letters are rendered and sent, mail is received, read and done as it asks."""
