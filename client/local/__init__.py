"""What runs or lies on this machine: the embedded server, replay by the rules, players without a person."""
