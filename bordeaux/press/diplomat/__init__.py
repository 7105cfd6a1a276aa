"""The diplomat: a ledger of messages and orders, trust, plans, bargains, and decisions on what to say."""
