"""The roles within the diplomat, after the Israeli Diplomat (paper 000, section 2.3.4): the prime minister
speaks and decides, defence asks the search, the foreign office has a desk for each power, headquarters
gives the orders, and intelligence reads the others. They are modules of one process, no agents.
"""
