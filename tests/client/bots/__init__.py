"""The computer opponents: what their solvers claim, proved."""
