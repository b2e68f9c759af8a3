"""A proxy in front of a mongod, which can answer all commands but those of the handshake with an error."""

import socket
import struct
from threading import Thread

import bson

_HEADER = struct.Struct("<iiii")
_OP_MSG = 2013
_HANDSHAKE = {"hello", "ismaster", "isMaster"}


class MongoProxy:
    """Listens on a free port; `error` is the code and the message of all replies, None to pass commands on."""

    def __init__(self, port):
        self.error = None
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
        with client, server:
            while message := _receive(client):
                _, request_id, _, opcode = _HEADER.unpack_from(message)
                if self.error and opcode == _OP_MSG and _command(message) not in _HANDSHAKE:
                    client.sendall(_reply(request_id, *self.error))
                else:
                    server.sendall(message)
            # Ends the other direction.
            server.shutdown(socket.SHUT_RDWR)


def _receive(client):
    """Return a message of the wire protocol, empty at the end of the connection."""
    try:
        header = client.recv(_HEADER.size, socket.MSG_WAITALL)
        if len(header) < _HEADER.size:
            return b""
        return header + client.recv(_HEADER.unpack(header)[0] - _HEADER.size, socket.MSG_WAITALL)
    except OSError:
        return b""


def _command(message):
    """Return the name of the command of an OP_MSG: after flags of 4 bytes and the kind of the section, 1 byte."""
    (size,) = struct.unpack_from("<i", message, 21)
    return next(iter(bson.decode(message[21 : 21 + size])))


def _reply(request_id, code, text):
    document = bson.encode({"ok": 0.0, "code": code, "codeName": "Error", "errmsg": text})
    body = struct.pack("<iB", 0, 0) + document
    return _HEADER.pack(_HEADER.size + len(body), 1, request_id, _OP_MSG) + body


def _pipe(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
