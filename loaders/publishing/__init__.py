"""The only code that writes to MongoDB: plan, check, publish, undo, history."""
