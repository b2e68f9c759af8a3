"""nginx as a file server and as a cache in front of another server."""

import grp
import os
import pwd
import shutil
from collections.abc import Mapping
from pathlib import Path

# Debian installs it where only root looks.
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
_OPEN_FILE_CACHE = "open_file_cache max=200;"
_FILES = """
    {open_file_cache}
    map $request_uri $body {{
        {files}
    }}
    server {{
        listen 127.0.0.1:{port};
        root {bodies};
        location / {{ try_files /$body =404; }}
    }}
"""
# sendfile and output_buffers are those of deploy/nginx.conf.
_CACHE = """
    {open_file_cache}
    proxy_cache_path {folder}/cache keys_zone=responses:10m inactive=1h;
    upstream api {{ server {upstream}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            sendfile off;
            output_buffers 1 1m;
            proxy_pass http://api;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache responses;
            proxy_cache_key $request_uri;
            proxy_cache_valid 200 10s;
            proxy_cache_lock on;
            proxy_cache_use_stale updating error timeout;
            proxy_cache_background_update on;
        }}
    }}
"""
_TEMPORARY_FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def files(folder: Path, port: int, names: Mapping[str, str], bodies: Path, *, open_file_cache: bool) -> list[str]:
    """Return the command that serves a file in `bodies` for each path; `open_file_cache` is off by default in nginx."""
    mapping = "\n        ".join(f'"{path}" {name};' for path, name in names.items())
    directive = _OPEN_FILE_CACHE if open_file_cache else ""
    return _command(folder, _FILES.format(port=port, files=mapping, bodies=bodies, open_file_cache=directive))


def cache(folder: Path, port: int, upstream: str) -> list[str]:
    """Return the command that caches the responses of the server at host:port `upstream`."""
    return _command(
        folder, _CACHE.format(port=port, folder=folder, upstream=upstream, open_file_cache=_OPEN_FILE_CACHE)
    )


def _command(folder: Path, rest: str) -> list[str]:
    folder.mkdir()
    user = pwd.getpwuid(os.getuid()).pw_name
    group = grp.getgrgid(os.getgid()).gr_name
    temporary = "\n    ".join(f"{name}_temp_path {folder}/{name};" for name in _TEMPORARY_FOLDERS)
    text = _COMMON.format(user=user, group=group, folder=folder, temporary=temporary, rest=rest)
    configuration = folder / "nginx.conf"
    configuration.write_text(text, encoding="utf-8")
    return [_PROGRAM, "-p", str(folder), "-e", "stderr", "-c", str(configuration)]
