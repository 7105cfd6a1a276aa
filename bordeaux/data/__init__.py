"""Data that the package ships: the positions of the benchmark."""
