import re

import pytest

from campus_api.port import chosen

WRONG = ["", "x", "-1", "+1", "1.5", "65536", "80 80", "²"]


def test_the_ini_file_chooses_the_port():
    assert chosen({"here": "/srv"}, "8080") == 8080


def test_the_command_line_beats_the_ini_file():
    assert chosen({"http_port": "8000"}, "6543") == 8000


def test_the_command_line_beats_a_wrong_port_in_the_ini_file():
    assert chosen({"http_port": "8000"}, "none") == 8000


@pytest.mark.parametrize("port", ["0", "1", "65535"])
def test_every_port_number_is_taken(port):
    assert chosen({"http_port": port}, "6543") == int(port)


@pytest.mark.parametrize("port", WRONG)
def test_a_wrong_port_on_the_command_line_is_refused_by_name(port):
    with pytest.raises(ValueError, match=rf"^http_port '{re.escape(port)}' is not a port number"):
        chosen({"http_port": port}, "6543")


@pytest.mark.parametrize("port", WRONG)
def test_a_wrong_port_in_the_ini_file_is_refused_by_name(port):
    with pytest.raises(ValueError, match=rf"^port '{re.escape(port)}' is not a port number"):
        chosen({}, port)


def test_more_digits_than_python_converts_are_refused_by_name():
    with pytest.raises(ValueError, match="^http_port "):
        chosen({"http_port": "9" * 5000}, "6543")
