"""The core. Its folders, lowest first: `rules`, `net`, `value`, `search`, `learn`."""
