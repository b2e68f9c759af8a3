"""Call a function before a command that a load sends to MongoDB, as a concurrent load would run then."""

from contextlib import contextmanager

from pymongo import monitoring


class BeforeCommand(monitoring.CommandListener):
    """Call a function before each command of a name on a collection, but not before those of the function."""

    def __init__(self, action, command, collection):
        self._action = action
        self._command = command
        self._collection = collection
        self._is_acting = False

    def started(self, event):
        if event.command.get(self._command) == self._collection and not self._is_acting:
            self._is_acting = True
            self._action()
            self._is_acting = False

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


@contextmanager
def interrupted_commands(action, command, collection):
    """Interrupt the clients that are opened in this context, such as that of a command in this process."""
    listener = BeforeCommand(action, command, collection)
    monitoring.register(listener)
    try:
        yield
    finally:
        monitoring._LISTENERS.command_listeners.remove(listener)
