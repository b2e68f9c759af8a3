"""HTML in texts of providers about allergens."""

import html
import re

# Not those that strike a text out: "<s>Milk</s>" denies it.
_ELEMENTS = (
    "b|big|br|center|dd|div|dl|dt|em|font|h[1-6]|hr|i|li|ol|p|section|small|span|strong|sub|sup|table|tbody|td|th|thead|tr"
    "|tt|u|ul"
)
_TAG = re.compile(rf"</?(?:{_ELEMENTS})\s*/?>", re.IGNORECASE)


def plain_text(text: str) -> str:
    """Return a text with line breaks in place of well-known tags without attributes, then with entities unescaped.

    All other tags and comments stay, because they may hide a name.
    """
    return html.unescape(_TAG.sub("\n", text))
