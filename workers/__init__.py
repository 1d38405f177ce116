"""Celery: thin tasks that each call one use case."""
