"""The diplomat: a ledger of what was said and done, trust, plans, bargains, and decisions what to say."""
