"""One vocabulary of allergens: what providers list, what ingredients name, and what people search for."""
