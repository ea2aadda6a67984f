"""Pictures of the code, drawn from the code: `python -m tools.picture` writes them into docs/."""
