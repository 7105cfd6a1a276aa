"""Pictures of boards for people. Everything here is a pure function of positions."""
