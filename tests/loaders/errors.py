"""The error of a call, for loops that name the input when an assertion fails."""

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.profiles.files import ProfileError


def error_of(call, *arguments, **options):
    """Return the error of an export or a profile that a call raises, None if it raises none."""
    try:
        call(*arguments, **options)
    except (InvalidValue, ProfileError, UnreadableFileError) as error:
        return error
    return None


def message_of(call, path, **options):
    """Return the message of the error about a file that a call raises, without the path of the file."""
    return str(error_of(call, path, **options)).removeprefix(f"{path}: ")


def invalid_value(call, *arguments):
    """Return the field, the value and the reason of the InvalidValue that a call raises, () if it raises none."""
    return getattr(error_of(call, *arguments), "args", ())


def reason_of(call, *arguments, **options):
    """Return the reason of the error that a call raises, "" if it raises none."""
    return getattr(error_of(call, *arguments, **options), "reason", "")
