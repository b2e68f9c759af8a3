"""The ini file of the service, read as pserve reads it."""

from configparser import Error as ConfigParserError

import plaster
from plaster.exceptions import PlasterError
from plaster_pastedeploy import ConfigDict

from campus_api.settings import SettingError


def read(path: str) -> ConfigDict:
    """Return what stands in the section of the application; SettingError when that cannot be read.

    Its `global_conf` is what stands in [DEFAULT], which the application does not get.
    """
    try:
        return plaster.get_loader(path, protocols=["wsgi"]).get_wsgi_app_settings()
    except (ConfigParserError, UnicodeDecodeError):
        # What the parser says quotes the line, which may hold a password.
        raise SettingError(
            f"{path} is not an ini file of the service: it cannot be parsed (is a % written %%?)"
        ) from None
    except (OSError, LookupError, ImportError, PlasterError) as error:
        raise SettingError(f"{path} is not an ini file of the service: {error}") from error
