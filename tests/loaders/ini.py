"""The text of an ini file."""


def ini_text(uri):
    """Return the text of an ini file for a database."""
    return f"[app:main]\nuse = egg:campus-api\nmongo.uri = {uri.replace('%', '%%')}\n"
