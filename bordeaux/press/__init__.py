"""Press: the messages between powers (`language`), and the diplomat that decides what to say (`diplomat`).

This package depends on no DAIDE code and no sockets. It uses the engine; the engine does not use it. Sources:
Hall and Loeb (1995), section 5; Webb and others 2008, sections 2.3, 5 and 7.2.
"""
