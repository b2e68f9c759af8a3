from campus_api.cli.diagnostics import redact_uri


def test_secrets_alone_are_redacted():
    unchanged = ["embedded:/srv/a@b", "mongomock://", "mongodb://db", "mongodb://%2Ftmp%2Fm.sock/campus"]
    for uri, redacted in (
        *((uri, uri) for uri in (*unchanged, "mongodb://db1:27017,db2/campus")),
        ("mongodb://me:s3cret@db/campus", "mongodb://***@db/campus"),
        ("mongodb+srv://me:s3cret@db", "mongodb+srv://***@db"),
        ("mongodb+srv://me:s3@cret@db/campus?x=s3cret", "mongodb+srv://***@db/campus?***"),
        ("mongodb://s3cret@db/?tls=true", "mongodb://***@db/?***"),
        ("mongodb://me:s3@cret@db/campus", "mongodb://***@db/campus"),
        ("mongodb://db/?authSource=admin&proxyPassword=s3cret", "mongodb://db/?***"),
        ("mongodb://db?authMechanismProperties=AWS_SESSION_TOKEN:s3cret", "mongodb://db?***"),
    ):
        assert redact_uri(uri) == redacted


def test_a_uri_with_an_unescaped_password_or_option_is_redacted():
    assert redact_uri("mongodb://db/?authMechanismProperties=x@s3cret") == "***"
    for scheme in ("mongodb", "mongodb+srv"):
        for password in ("1/s3cret", "s3?cret", "1/s3cret?x", "/s3cret", "s3\n/cret"):
            assert redact_uri(f"{scheme}://me:{password}@db/campus") == "***", password
