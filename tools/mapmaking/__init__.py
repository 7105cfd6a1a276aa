"""From coastlines and a file of borders to the geometry of a board."""
