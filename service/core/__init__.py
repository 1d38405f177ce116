"""What everything stands on: settings, the database and its tables, keys, logs, jobs."""
