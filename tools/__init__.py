"""Programs for those who work on Conquest: a demonstration, screenshots, tables."""
