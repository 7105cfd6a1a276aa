"""Whole games in the formats of sites: webDiplomacy, vDiplomacy, Backstabbr, playdiplomacy, judges, lists.

`reading` makes a sheet for each phase from lines of orders (`bordeaux.formats.order_lines`) or from
`backstabbr`. `assembly` adjudicates them to a saved game in JSON. `markup` parses web pages.
"""
