"""What runs or lies on this machine: a server in this process, replay by the rules, automatic players."""
