"""The process of campus-load: SIGINT and SIGTERM end it with status 130 and one line, whatever it is doing."""

import atexit
import os
import signal
import sys
import threading
import time

_INTERRUPTED = 130
_MESSAGE = b"campus-load: interrupted: run the load again\n"
# To remove temporary files and to close connections.
_SECONDS = 1.5


def run() -> None:
    """Run the command; only what has been imported at the start of Python comes before the handlers of signals."""
    signals = _Signals()
    signals.handle(signals.exit)
    signals.watch()
    from campus_api.cli import standard_output
    from loaders.cli.main import main
    from loaders.errors import Interrupted

    def interrupt(*_: object) -> None:
        signals.handle(signal.SIG_IGN)
        raise Interrupted

    def report_ignored(ignored: "sys.UnraisableHookArgs") -> None:
        if ignored.exc_type is Interrupted:
            signals.exit()
        sys.__unraisablehook__(ignored)

    sys.unraisablehook = report_ignored
    try:
        try:
            signals.handle(interrupt)
            standard_output.run(main)
        finally:
            # The command has printed its own line.
            signals.handle(lambda *_: os._exit(_INTERRUPTED))
    except Interrupted:
        signals.exit()
    except SystemExit as error:
        # Python restores the default handlers before it deletes the modules, which takes a while.
        atexit._run_exitfuncs()
        os._exit(int(error.code or 0))


class _Signals:
    """SIGINT and SIGTERM, but for those that the process has inherited as ignored."""

    def __init__(self) -> None:
        both = (signal.SIGINT, signal.SIGTERM)
        self._numbers = [number for number in both if signal.getsignal(number) is not signal.SIG_IGN]
        self._exiting = threading.Lock()

    def handle(self, handler: "signal._HANDLER") -> None:
        """Set the handler of both."""
        for number in self._numbers:
            signal.signal(number, handler)

    def exit(self, *_: object) -> None:
        """Exit at once, with one line from the thread that is the first."""
        try:
            if self._exiting.acquire(blocking=False):
                os.write(2, _MESSAGE)
        finally:
            os._exit(_INTERRUPTED)

    def watch(self) -> None:
        """Exit from another thread if the main one is in C code, or waits for others, for too long after a signal."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._watch, args=(reader,), daemon=True).start()

    def _watch(self, wakeup: int) -> None:
        while os.read(wakeup, 1)[0] not in self._numbers:
            pass
        time.sleep(_SECONDS)
        self.exit()
