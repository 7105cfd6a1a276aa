"""The language of press: terms and messages as values, and their forms as English, JSON and DUI.

It does not import `bordeaux.press.diplomat`: carriers of letters and other players need only the language.
"""
