"""The Dockerfile on a base of debootstrap, for which no registry of images is needed, and compose.yaml."""

import json
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from pymongo.uri_parser import parse_uri

from tests.processes.commands import ROOT, Process, fetch, reserve_port, stop, wait_for_process
from tests.programs import require, require_root

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PACKAGES = "ca-certificates,python3,python3-pip,python3-venv"
BASE, IMAGE = "localhost/base", "localhost/campus-api"
# A read-only root with a writable /tmp; the process replaces the shell.
RUN = """
mount --bind "$0" "$0" && mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
mount -t tmpfs tmpfs "$0/tmp" && mount -o remount,bind,ro "$0" && exec chroot --userspec="$1" "$0" env "${@:2}"
"""


def run(*command, **options):
    completed = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert completed.returncode == 0, completed.stderr[-2000:]
    return completed.stdout.strip()


@pytest.fixture(scope="module")
def image():
    """The configuration of the image, and the folder with its files."""
    require_root()
    program, debootstrap = require("buildah"), require("debootstrap")
    # On a disk: it has a gigabyte.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        storage = [f"--root={folder}/storage", f"--runroot={folder}/run", "--storage-driver=vfs"]
        buildah = partial(run, program, *storage)
        base = buildah("from", "scratch")
        options = ["--variant=minbase", f"--include={PACKAGES}"]
        run("unshare", "--mount", debootstrap, *options, "bookworm", buildah("mount", base))
        buildah("umount", base)
        buildah("commit", "--rm", base, BASE)
        arguments = [f"--build-arg=BASE={BASE}", f"--build-arg=COMMIT={COMMIT}"]
        # Packages are downloaded as on this machine, with its certificates.
        host = ["--isolation=chroot", "--network=host", "--volume=/etc/ssl/certs:/etc/ssl/certs:ro"]
        buildah("bud", *host, *arguments, "--format=docker", f"--tag={IMAGE}", str(ROOT))
        config = json.loads(buildah("inspect", "--type=image", IMAGE))["Docker"]["config"]
        container = buildah("from", IMAGE)
        yield SimpleNamespace(config=config, root=Path(buildah("mount", container)))
        buildah("umount", container)
        buildah("rm", container)


@pytest.fixture
def start(image, tmp_path):
    """Start a command in the image, as its user, with a read-only root; return the process and its output."""
    processes = []

    def start(*command, **environment):
        variables = [*image.config["Env"], *(f"{name}={value}" for name, value in environment.items())]
        arguments = [image.root, image.config["User"], "--ignore-environment", "--chdir=/tmp", *variables, *command]
        log = tmp_path / f"{len(processes)}.log"
        with log.open("w") as output:
            process = Process(
                ["unshare", "--mount", "bash", "-c", RUN, *arguments], stdout=output, stderr=subprocess.STDOUT
            )
        process.output = log.read_text
        processes.append(process)
        return process

    yield start
    for process in processes:
        stop(process)


def test_the_process_of_the_container_serves_and_stops(start, image, mongod_with_data):
    port = reserve_port()

    server = start(*image.config["Cmd"], f"http_port={port}", CAMPUS_MONGO_URI=mongod_with_data.uri())
    wait_for_process(server, lambda: fetch(f"http://127.0.0.1:{port}/"))

    assert fetch(f"http://127.0.0.1:{port}/map/buildings/1").status == 200
    assert json.loads(fetch(f"http://127.0.0.1:{port}/__version__").body)["commit"] == COMMIT
    assert health_check(start, image, port).wait() == 0
    server.terminate()
    assert server.wait() == 0
    assert health_check(start, image, port).wait() == 1


def test_the_image_has_the_loaders(start):
    load = start("campus-load", "samples", CAMPUS_MONGO_URI="mongomock://")

    assert (load.wait(), "mongo.uri is a database in memory" in load.output()) == (2, True)


def health_check(start, image, port):
    kind, *command = image.config["Healthcheck"]["Test"]
    assert kind == "CMD"
    return start(*(part.replace("6543", str(port)) for part in command))


def test_the_image_has_a_numeric_user_a_stop_signal_and_no_checkout(image):
    assert (image.config["User"], image.config["StopSignal"]) == ("10001:10001", "SIGTERM")
    assert [path for path in ("src", "wheel") if (image.root / path).exists()] == []
    assert "\nhost = 0.0.0.0\n" in (image.root / "etc/campus-api/production.ini").read_text()


def test_create_secrets_makes_every_secret_and_file_of_compose(tmp_path):
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    run(ROOT / "deploy/compose/create-secrets", cwd=tmp_path)

    secrets = [tmp_path / each["file"] for each in compose["secrets"].values()]
    mounted = [each.split(":")[0] for service in compose["services"].values() for each in service.get("volumes", [])]
    assert {path.name for path in secrets} == {path.name for path in (tmp_path / "secrets").iterdir()}
    assert [path for path in mounted if path.startswith("./deploy") and not (ROOT / path).is_file()] == []
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    uri = parse_uri((tmp_path / "secrets" / "reader_uri").read_text().strip())
    password = (tmp_path / "secrets" / "mongo_reader_password").read_text().strip()
    assert (uri["username"], uri["password"], uri["options"]["replicaSet"]) == ("reader", password, "campus")
