"""What lies on the table: map, position, orders, and the forms they are written in."""
