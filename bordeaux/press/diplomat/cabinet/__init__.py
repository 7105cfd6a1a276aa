"""The roles within the diplomat, after the Israeli Diplomat (Webb and others 2008, section 2.3.4).

The prime minister speaks and decides. Defence uses the search, and the foreign office limits what each power
is offered. Headquarters gives the orders, and intelligence models the others. They are modules of one
process, not agents.
"""
