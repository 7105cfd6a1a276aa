"""A package, so that its browser ends with its last test: no other one meets the loop of the driver."""
