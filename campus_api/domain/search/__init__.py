"""Search over names that tolerates typos, word order and spelling; ranking and texts, without a database."""
