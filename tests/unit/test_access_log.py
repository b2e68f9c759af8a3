import pytest

from campus_api.instrumentation import log_request

REQUEST = {"REQUEST_METHOD": "GET", "PATH_INFO": "/caf\xc3\xa9/1", "QUERY_STRING": "name=a%20b"}


@pytest.fixture
def log(caplog):
    """Log a request and return the record."""
    caplog.set_level("INFO", "campus_api.access")

    def log(**environ):
        log_request({**REQUEST, **environ}, 200, 5, 0.0123456)
        (record,) = caplog.records
        return record

    return log


def test_a_line_describes_the_request_and_the_response(log):
    record = log(HTTP_USER_AGENT="curl/8")

    assert (record.method, record.path, record.query) == ("GET", "/caf%C3%A9/1", "name=a%20b")
    assert (record.status, record.bytes, record.duration_ms, record.user_agent) == (200, 5, 12.346, "curl/8")
    assert record.getMessage() == "GET /caf%C3%A9/1?name=a%20b: 200, 5 bytes in 12.346 ms"


def test_the_path_includes_the_prefix_of_the_service(log):
    assert log(SCRIPT_NAME="/campus", QUERY_STRING="").getMessage().startswith("GET /campus/caf%C3%A9/1: 200, ")


@pytest.mark.parametrize("variable", ["PATH_INFO", "QUERY_STRING", "HTTP_USER_AGENT"])
def test_long_texts_are_truncated(log, variable):
    record = log(**{variable: "x" * 5000})

    assert [text.count("x") for text in (record.path, record.query, record.user_agent)].count(1000) == 1
    assert len(record.getMessage()) < 1200


def test_a_client_cannot_forge_a_line(log):
    record = log(PATH_INFO="/a\nb\x1b", QUERY_STRING="c\nd\xe9\u20ac")

    assert record.getMessage().startswith("GET /a%0Ab%1B?c%0Ad%E9?: 200, ")
