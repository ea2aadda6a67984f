"""The full-screen client: screens and boards over the same session and words as the line client."""
