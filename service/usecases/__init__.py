"""What people and machines can do. Web, mail, command line and workers call the same functions;
none of them knows Flask or Celery.
"""
