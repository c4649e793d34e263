# Signs and verifies messages with dkimpy, a JSON object a line.
import base64
import json
import sys

import dkim


def octets(case, name):
    return base64.b64decode(case.get(name) or "")


def sign(case):
    return dkim.DKIM(octets(case, "message")).sign(
        b"sel", b"example.org", octets(case, "private"),
        signature_algorithm=case["algorithm"].encode(),
        identity=case["identity"].encode() or None,
        canonicalize=(case["head"].encode(), case["body"].encode()),
        include_headers=[name.encode() for name in case["headers"]],
        length=case["length"])


for line in sys.stdin:
    case = json.loads(line)
    answer = {"field": "", "pass": False, "why": ""}
    try:
        if case["private"]:
            answer["field"] = base64.b64encode(sign(case)).decode()
        else:
            record = case["key"].encode()
            answer["pass"] = bool(dkim.DKIM(octets(case, "message")).verify(
                dnsfunc=lambda name, timeout=5: record))
    except Exception as error:  # what a caller of dkimpy meets
        answer["why"] = repr(error)
    print(json.dumps(answer))
