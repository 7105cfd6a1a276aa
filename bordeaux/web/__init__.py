"""The analysis page: a server on this machine only, studies in files, and a page in the browser."""
