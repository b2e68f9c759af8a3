"""Errors, for loops over cases that name the one with which they fail."""


def raised(error, function, *arguments, **options):
    """Return the error of a type that a function raises for these arguments, None if it raises none."""
    try:
        function(*arguments, **options)
    except error as raised_error:
        return raised_error
    return None


def raise_in(context, error):
    """Raise an error within a context manager."""
    with context:
        raise error


def rejection(function, *arguments, **options):
    """Return the message of the ValueError that a function raises for these arguments, "" if it raises none."""
    return str(raised(ValueError, function, *arguments, **options) or "")
