"""The WSGI application of the ini file that CAMPUS_INI names, for granian and other servers (docs/operations.md).

Each worker imports this module: the thread that polls MongoDB does not survive a fork, as of a server that preloads.
"""

import os

from pyramid.paster import get_app, setup_logging

from campus_api.server import tune_interpreter
from campus_api.settings import SettingError, read_ini

_path = os.environ.get("CAMPUS_INI", "")
if not os.path.isfile(_path):
    raise SystemExit(f"CAMPUS_INI {_path!r} is not a file: it names the ini file of the service.")
try:
    read_ini(_path)
except SettingError as error:
    raise SystemExit(str(error)) from None
setup_logging(_path)
app = get_app(_path, "main")
tune_interpreter()
