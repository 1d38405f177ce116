"""For machines and who runs them: readiness, numbers, what mail providers post."""
