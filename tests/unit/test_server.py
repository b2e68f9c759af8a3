import re

import pytest

from campus_api.server import make_app, resolve_options, resolve_port

WRONG_PORTS = ["", "x", "-1", "+1", "1.5", "65536", "80 80", "²", "9" * 5000]


def test_the_ini_file_chooses_the_port():
    assert resolve_port({"here": "/srv"}, "8080") == 8080


@pytest.mark.parametrize("port", ["6543", "none"])
def test_the_command_line_beats_the_ini_file(port):
    assert resolve_port({"http_port": "8000"}, port) == 8000


@pytest.mark.parametrize("port", ["0", "1", "65535"])
def test_every_port_number_is_valid(port):
    assert resolve_port({"http_port": port}, "6543") == int(port)


@pytest.mark.parametrize("port", WRONG_PORTS)
def test_a_wrong_port_on_the_command_line_is_named(port):
    with pytest.raises(ValueError, match=rf"^http_port '{re.escape(port)}' is not a port number"):
        resolve_port({"http_port": port}, "6543")


@pytest.mark.parametrize("port", WRONG_PORTS)
def test_a_wrong_port_in_the_ini_file_is_named(port):
    with pytest.raises(ValueError, match=rf"^port '{re.escape(port)}' is not a port number"):
        resolve_port({}, port)


def test_the_default_port_is_6543():
    assert resolve_options({}, {"threads": "8"}) == {"threads": "8", "port": 6543}


def test_other_variables_of_the_command_line_are_no_options():
    assert resolve_options({"here": "/srv", "__file__": "/srv/production.ini"}, {}) == {"port": 6543}


@pytest.mark.parametrize("name", ["listen", "unix_socket"])
def test_another_address_takes_the_place_of_the_port(name):
    assert resolve_options({}, {name: "somewhere"}) == {name: "somewhere"}


@pytest.mark.parametrize("name", ["listen", "unix_socket"])
def test_a_port_beside_another_address_is_refused(name):
    with pytest.raises(ValueError, match="http_port may not be set"):
        resolve_options({"http_port": "8000"}, {name: "somewhere"})


def test_a_wrong_setting_ends_the_process_with_its_message():
    with pytest.raises(SystemExit, match=r"^mongo\.uri is not set"):
        make_app({})
