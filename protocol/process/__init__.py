"""What the processes of both sides need of their surroundings: tasks and threads, standard streams, usage,
the home folder."""
