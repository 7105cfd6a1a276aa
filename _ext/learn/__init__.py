"""Self-play, the records of its games, and the learners that make nets of them."""
