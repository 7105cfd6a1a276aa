"""Work that is shared out among processes; it knows nothing of what is worked on."""
