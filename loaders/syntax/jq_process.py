"""A process of one jq program, which ends it with a limited time and memory: jq can be neither interrupted nor limited.

Standard input is a line with the program and its `$source`, the name of the sheet and the delimiter of CSV, then a
document; each line of the output is a row.
"""

import csv
import json
import resource
import signal
import sys
from collections import defaultdict
from io import StringIO
from typing import NoReturn
from xml.parsers import expat

import jq
import orjson

from loaders.sources.dtd import WITHOUT_DTD, InvalidXml

BROKEN_DOCUMENT = 2

# tojson takes as long as the program: only rows in which jq.py may round a number, and those of no table, are text.
_OUTPUT = """
| if type != "object" or any(.[] | if type == "array" then .[] else . end;
    type == "object" or type == "array" or (type == "number" and fabs >= 9007199254740992))
  then tojson else . end
"""


def main(seconds: int, max_bytes: int) -> None:
    """Run the program on standard input; an error is one line and exit status 1, or 2 if it is one of the document."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    request = json.loads(sys.stdin.readline())
    try:
        document = _as_json(sys.stdin.read(), request["sheet"], request["delimiter"])
        program = jq.compile(f"({request['program']}\n){_OUTPUT}", args={"source": request["source"]})
        for row in program.input_text(document):
            sys.stdout.write(f"{row if isinstance(row, str) else orjson.dumps(row).decode()}\n")
        sys.stdout.flush()
    except RecursionError:
        _refuse_document("is nested too deeply")
    except (expat.ExpatError, csv.Error) as error:
        _refuse_document(f"is not {'CSV' if request['delimiter'] else 'XML'}: {error}")
    except InvalidXml as error:
        _refuse_document(str(error))
    except (ValueError, orjson.JSONEncodeError) as error:
        sys.exit(" ".join(str(error).split()))


def _refuse_document(reason: str) -> NoReturn:
    sys.stderr.write(reason)
    sys.exit(BROKEN_DOCUMENT)


def _as_json(document: str, sheet: str, delimiter: str) -> str:
    """Return a document as JSON: XML with the objects of xmltodict, whose names have no namespace; CSV as a sheet."""
    if delimiter:
        rows = csv.reader(StringIO(document, newline=""), strict=True, delimiter=delimiter)
        return json.dumps([{"sheet": sheet, "rows": [row for row in rows if any(map(str.strip, row))]}])
    if not document.lstrip().startswith("<"):
        return document
    # It imports half of the time of this process.
    import xmltodict

    prefixes: defaultdict[str, str] = defaultdict(str)
    return json.dumps(xmltodict.parse(document, expat=WITHOUT_DTD, process_namespaces=True, namespaces=prefixes))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
