"""The server: its command line and its settings; below them, who decides, the rules and the edge."""
