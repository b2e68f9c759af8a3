"""A proxy in front of a mongod, which can respond with an error, or anything else, to what follows the handshake."""

import contextlib
import socket
import struct
from threading import Thread

import bson

_HEADER = struct.Struct("<iiii")
_OP_MSG = 2013
_HANDSHAKE = {"hello", "ismaster", "isMaster"}


class MongoProxy:
    """Listens on a free port.

    `error` is the code and the message of all replies, `reply` the body of those to commands for collections that
    are not `datasets`; None to pass commands on.
    """

    def __init__(self, port):
        self.error = self.reply = None
        self._upstream = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"mongodb://127.0.0.1:{self._listener.getsockname()[1]}/campus"
        Thread(target=self._accept, daemon=True).start()

    def stop(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._upstream)
            Thread(target=_pipe, args=(server, client), daemon=True).start()
            Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client, server):
        with client, server, contextlib.suppress(OSError):
            while message := _receive(client):
                _, request_id, _, opcode = _HEADER.unpack_from(message)
                name, target = _command(message) if opcode == _OP_MSG else ("hello", 1)
                if self.error and name not in _HANDSHAKE:
                    client.sendall(_reply(request_id, _error(*self.error)))
                elif self.reply and isinstance(target, str) and target != "datasets":
                    client.sendall(_reply(request_id, self.reply))
                else:
                    server.sendall(message)
            # Ends the other direction.
            server.shutdown(socket.SHUT_RDWR)


def _receive(client):
    """Return a message of the wire protocol, empty at the end of the connection."""
    header = client.recv(_HEADER.size, socket.MSG_WAITALL)
    if len(header) < _HEADER.size:
        return b""
    return header + client.recv(_HEADER.unpack(header)[0] - _HEADER.size, socket.MSG_WAITALL)


def _command(message):
    """Return the name and the target of the command of an OP_MSG: after 4 bytes of flags and the kind of a section."""
    (size,) = struct.unpack_from("<i", message, 21)
    return next(iter(bson.decode(message[21 : 21 + size]).items()))


def body(document):
    """Return the body of an OP_MSG."""
    return struct.pack("<iB", 0, 0) + bson.encode(document)


def _error(code, text):
    return body({"ok": 0.0, "code": code, "codeName": "Error", "errmsg": text})


def _reply(request_id, body):
    return _HEADER.pack(_HEADER.size + len(body), 1, request_id, _OP_MSG) + body


def _pipe(source, target):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
