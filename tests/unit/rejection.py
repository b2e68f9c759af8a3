"""Why values are rejected, for loops over values that name the one with which they fail."""


def rejection(function, *arguments, **options):
    """Return the message of the ValueError that a function raises for these arguments, "" if it raises none."""
    try:
        function(*arguments, **options)
    except ValueError as error:
        return str(error)
    return ""
