"""Who decides: the kernel and its parts. Pure: no loop, socket, disk, clock or luck of its own."""
