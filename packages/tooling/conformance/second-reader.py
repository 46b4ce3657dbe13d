"""Digest of all documents of the conformance suite as PyYAML reads them, by the core schema of YAML 1.2.

conformance-documents.test.ts computes the same from the reader of Weft.
Usage: python3 second-reader.py SUITE (needs PyYAML: apt-get install python3-yaml). With -v, one line for each document.
"""

import hashlib
import json
import os
import re
import struct
import sys

import yaml

WORDS = {"": None, "~": None}
WORDS.update({word: None for word in ("null", "Null", "NULL")})
WORDS.update({word: True for word in ("true", "True", "TRUE")})
WORDS.update({word: False for word in ("false", "False", "FALSE")})
WHOLE = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def number(value):
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return f"#{value}"
    return "#" + struct.pack(">d", float(value)).hex()


def scalar(node):
    text = node.value
    if node.style is not None:
        return json.dumps(text, ensure_ascii=False)
    if text in WORDS:
        return json.dumps(WORDS[text])
    if WHOLE.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2])
        return number(int(text[2:], base) if base else int(text))
    return number(float(text)) if FLOAT.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def outline(node):
    if isinstance(node, yaml.MappingNode):
        return "{" + ",".join(f"{json.dumps(k.value, ensure_ascii=False)}:{outline(v)}" for k, v in node.value) + "}"
    if isinstance(node, yaml.SequenceNode):
        return "[" + ",".join(map(outline, node.value)) + "]"
    return scalar(node)


def read(path):
    with open(path, encoding="utf-8") as file:
        try:
            node = yaml.compose(file.read(), Loader=yaml.SafeLoader)
        except yaml.YAMLError:
            return "refused"
    return "empty" if node is None else outline(node)


def main(root, verbose):
    digest = hashlib.sha256()
    names = [os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names]
    for name in sorted(name for name in names if re.search(r"\.(cwl|ya?ml|json)$", name)):
        line = f"{name} {hashlib.sha256(read(os.path.join(root, name)).encode()).hexdigest()}\n"
        digest.update(line.encode())
        if verbose:
            sys.stdout.write(line)
    print(digest.hexdigest())


main(sys.argv[-1], "-v" in sys.argv)
