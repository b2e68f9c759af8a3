"""Search over names that tolerates typos, word order and spelling; ranking, without a database."""
