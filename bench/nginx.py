"""nginx: answers as files, as it comes and with open files kept, and a cache in front of another server."""

import grp
import os
import pwd
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

# Debian keeps it where only root looks.
_PROGRAM = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or "nginx"

_COMMON = """
user {user} {group};
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    default_type application/json;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    map_hash_bucket_size 2048;
    {temporary}
    {rest}
}}
"""
_OPEN = "open_file_cache max=200;"
_FILES = """
    {opened}
    map $request_uri $body {{
        {names}
    }}
    server {{
        listen 127.0.0.1:{port};
        root {bodies};
        location / {{ try_files /$body =404; }}
    }}
"""
# It gives its files as deploy/nginx.conf lets it do that.
_CACHE = """
    {opened}
    proxy_cache_path {folder}/cache keys_zone=answers:10m inactive=1h;
    upstream ours {{ server {upstream}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            sendfile off;
            output_buffers 1 1m;
            proxy_pass http://ours;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache answers;
            proxy_cache_key $request_uri;
            proxy_cache_valid 200 10s;
            proxy_cache_lock on;
            proxy_cache_use_stale updating error timeout;
            proxy_cache_background_update on;
        }}
    }}
"""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def files(folder: Path, port: int, names: Mapping[str, str], bodies: Path, *, opened: bool) -> list[str]:
    """Return the command that serves a file in `bodies` for each path; whether files are kept open is not the usual."""
    lines = "\n        ".join(f'"{path}" {name};' for path, name in names.items())
    return _command(folder, _FILES.format(port=port, names=lines, bodies=bodies, opened=_OPEN if opened else ""))


def cache(folder: Path, port: int, upstream: str) -> list[str]:
    """Return the command that keeps the answers of the server at host:port `upstream`."""
    return _command(folder, _CACHE.format(port=port, folder=folder, upstream=upstream, opened=_OPEN))


def _command(folder: Path, rest: str) -> list[str]:
    folder.mkdir()
    user, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    text = _COMMON.format(user=user, group=group, folder=folder, temporary=_paths(folder, _TEMPORARY), rest=rest)
    configuration = folder / "nginx.conf"
    configuration.write_text(text, encoding="utf-8")
    return [_PROGRAM, "-p", str(folder), "-e", "stderr", "-c", str(configuration)]


def _paths(folder: Path, kinds: Iterable[str]) -> str:
    return "\n    ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
