# Evaluates cases, a JSON object a line, with pyspf and writes its results.
import json
import sys

import spf

table, names = {}, set()


def load(case):
    table.clear()
    names.clear()
    for record in case["records"]:
        key = record["name"].lower(), record["type"]
        table.setdefault(key, []).append(record.get("broken") or record["values"])


def values(name, kind):
    name = name.lower().rstrip(".")
    for _ in range(12):
        found = table.get((name, kind), [])
        if any(isinstance(v, str) for v in found):
            raise spf.TempError("DNS %s: %s %s" % (found[0], kind, name))
        alias = table.get((name, "CNAME"))
        if found or not alias:
            return found
        name = alias[0][0]
    raise spf.TempError("DNS alias loop: %s %s" % (kind, name))


def lookup(name, kind, tcpfallback=True, timeout=30):
    if kind == "SPF":
        return []
    answers = []
    for value in values(name, kind):
        if kind == "TXT":
            answers.append(((name, kind), [s.encode("utf-8") for s in value]))
        elif kind == "MX":
            answers.append(((name, kind), (int(value[0]), value[1])))
        else:
            answers.append(((name, kind), value[0]))
    if kind == "MX":
        answers.sort(key=lambda answer: answer[1][0])
    return answers


spf.DNSLookup = lookup
for line in sys.stdin:
    case = json.loads(line)
    load(case)
    try:
        result, why = spf.check2(i=case["ip"], s=case["from"], h=case["helo"], querytime=0)
    except Exception as error:  # what a caller of pyspf meets
        result, why = "crash", repr(error)
    print(json.dumps({"result": result, "why": str(why)}))
