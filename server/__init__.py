"""Who decides: the rules, the matches and the journal, and the thin shell that connects them to the world."""
