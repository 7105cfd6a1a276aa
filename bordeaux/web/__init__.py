"""The analysis page: a server on this machine alone, studies in files, a page in the browser.

`app` puts the parts together, `security` keeps others out, `house` is what all routes share. A study
(`study`) is a tree of variations; `store` keeps studies in files, `intake` makes them of what is read.
"""
