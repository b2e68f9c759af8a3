from loaders.sources.urls import is_url, redact


def test_urls_are_told_from_files_by_their_scheme():
    texts = {
        "https://example.edu/menus.csv": True,
        "HTTP://example.edu": True,
        "menus.csv": False,
        "-": False,
        "ftp://example.edu/menus.csv": False,
        "http:/menus.csv": False,
    }

    assert {text: is_url(text) for text in texts} == texts


def test_credentials_are_removed_from_a_url():
    redacted = {
        "https://user:pass@example.edu/menus.csv": "https://example.edu/menus.csv",
        "https://example.edu/menus?token=abc&hall=7": "https://example.edu/menus?hall=7",
        "https://example.edu/menus?API_KEY=abc": "https://example.edu/menus",
        "https://example.edu/menus?X-Amz-Signature=abc&sig=1": "https://example.edu/menus",
        "https://example.edu/menus?%74oken=abc": "https://example.edu/menus",
        "https://example.edu/menus?term=fall%202026#token=abc": "https://example.edu/menus?term=fall%202026",
        "https://[example.edu/?token=abc": "https://...",
        "https://user:pa/ss@example.edu/": "https://...",
    }

    assert {url: redact(url) for url in redacted} == redacted
