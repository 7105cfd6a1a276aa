"""Opening books: the code that builds and reads them, and their data."""
