"""The foundation: settings, the database and its tables, keys, logs, jobs."""
