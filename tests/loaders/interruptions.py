"""Call a function before a command that is sent to MongoDB, as a concurrent load would run then."""

from contextlib import contextmanager

from pymongo import monitoring


class BeforeCommand(monitoring.CommandListener):
    """Calls a function before each command of a name on a collection, but not before those of the function."""

    action = command = collection = None

    def started(self, event):
        if self.action and event.command.get(self.command) == self.collection:
            action, self.action = self.action, None
            action()
            self.action = action

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


# Of all clients that are opened later.
_LISTENER = BeforeCommand()
monitoring.register(_LISTENER)


@contextmanager
def interrupted(action, command, collection):
    """Call a function before each such command of any client in this process."""
    _LISTENER.action, _LISTENER.command, _LISTENER.collection = action, command, collection
    try:
        yield
    finally:
        _LISTENER.action = None


def kill():
    """End a load as Ctrl-C does."""
    raise KeyboardInterrupt
