"""One suite a seam: what every implementation must do, whoever wrote it."""
