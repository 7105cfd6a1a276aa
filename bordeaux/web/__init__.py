"""The analysis page: a server on this machine only, studies in files, and a page in the browser.

`app` assembles the parts. `security` refuses other clients. `house` holds the state that all routes share. A
study (`study`) is a tree of variations. `store` keeps studies in files, and `intake` makes them from input.
"""
