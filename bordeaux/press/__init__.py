"""The diplomat: what powers say to each other as values, what it comes to, and whom to trust.

This room knows no DAIDE and no socket. It asks the engine, and nothing in it is asked by the engine.
Sources: paper 002, section 5; paper 000, sections 2.3, 5 and 7.2.
"""
