"""What is known: the reducer, the seat, records, the words of each game. No loop, socket, disk or clock."""
