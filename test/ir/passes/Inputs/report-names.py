# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the reports of report-names.mlir as other programs would."""

import json
import re
import sys
import xml.etree.ElementTree

NAMES = ["h\u00e4fen", '\ufffd\x01"</script><!-- \uffff&']
PACKER = 'a"b\\c\n\ufffd</script>'
report, lines, svg, html = (open(path, "rb").read().decode("utf-8") for path in sys.argv[1:])

assert [scope["scope"] for scope in json.loads(report)["scopes"]] == NAMES
assert [json.loads(line)["scope"] for line in lines.splitlines()] == NAMES
assert {scope["packer"] for scope in json.loads(report)["scopes"]} == {PACKER}

title = xml.etree.ElementTree.fromstring(svg).find("{*}text[@class='title']")
assert title.text == NAMES[1].replace("\x01", "\ufffd").replace("\uffff", "\ufffd"), title.text

# A browser's script ends at the first "</script", and "<!--" would hide it.
data = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script', html, re.DOTALL).group(1)
assert "<!--" not in data
assert {scope["packer"] for scope in json.loads(data)["scopes"]} == {PACKER}
assert NAMES[1] in json.dumps(json.loads(data), ensure_ascii=False).replace("\\u0001", "\x01").replace('\\"', '"')
