"""The analysis page: a server on this machine only, studies in files, and a page in the browser.

`server` assembles the parts and refuses other clients. `routing` holds the state that all routes share. A
study (`study`) is a tree of variations. `store` keeps studies in files, and `intake` makes them from input.
"""
