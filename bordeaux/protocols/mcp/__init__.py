"""The engine as tools for agents: a server of the Model Context Protocol, with the official SDK.

`tools` gives the tools about positions, `playing` those of games, `answers` what they return. `server` puts
them together and serves them on standard input and output, or on loopback.
"""
