"""What a process of either side needs: supervised tasks and threads, standard streams, usage, a home."""
