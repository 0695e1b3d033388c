# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the playground: use.py BROWSER PAGE.html BERTH-PACK FOLDER PROBLEM.csv OTHER...

Prints what it sees; what the page packs must be what berth-pack does.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

from browser import Browser

browser, page, tool, folder, problem, *others = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(exist_ok=True)
CTRL, SHIFT = 2, 8


def run_tool(*options, on=problem):
    return subprocess.run([tool, *options, on], check=True, capture_output=True).stdout


def see(what=""):
    print(what, b.run("at('verdict').className || 'good'") + ":", verdict())


def verdict():
    return b.run("at('verdict').textContent")


def middle(index):
    """Where on the page the middle of a box is."""
    return b.run(
        "(() => { const at = 4 * S.begin[%d], box = canvas.getBoundingClientRect(); return ["
        "box.x + xOf((S.pieces[at] + S.pieces[at + 1]) / 2),"
        "box.y + yOf(S.offset[%d] + S.size[%d] / 2)]; })()" % (index, index, index)
    )


def click(name):
    x, y = b.run(f"(r => [r.x + r.width / 2, r.y + r.height / 2])(at('{name}').getBoundingClientRect())")
    b.mouse("mouseMoved", x, y)
    b.mouse("mousePressed", x, y, 1)
    b.mouse("mouseReleased", x, y)


with Browser(browser) as b:
    b.emulate()
    b.call("Network.enable")
    b.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    b.open(pathlib.Path(page).resolve().as_uri())
    b.wait("core !== undefined && now !== null")
    see("start:")

    b.drop_file(problem, "#canvas")
    b.wait("now.title.startsWith('wave')")
    see("dropped:")

    click("pack")
    b.wait("tried.length === 1 && worker === null")
    see("packed:")
    click("save-csv")
    saved = folder / "wave.csv"
    wanted = run_tool()
    for _ in range(500):  # it comes when it comes
        if saved.exists() and saved.read_bytes() == wanted:
            break
        time.sleep(0.01)
    print("the file:", "same bytes" if saved.read_bytes() == wanted else "OTHER BYTES")

    click("all")
    b.wait("tried.length === packers.size && worker === null")
    tried = b.run("tried.map(({packer, plan}) => ({packer, plan}))")
    same = [
        e["plan"].encode() == run_tool("--format=json", "--packer=" + e["packer"]) for e in tried
    ]
    print("packers:", "all as berth-pack's" if all(same) and len(same) > 10 else same)
    b.run("takeTried(tried.find(entry => entry.packer === 'auto'))")

    b.drag(*middle(2), *middle(0), drop=False)
    see("over another:")
    b.mouse("mouseReleased", *middle(0))
    see("let go:")
    print("wrong:", b.run("wrong.map(([a, b]) => name(a) + ' and ' + name(b)).join(', ')"))
    print("status:", b.run("S.data.status"))
    b.key("z", CTRL)
    see("undone:")
    b.key("z", CTRL | SHIFT)
    see("again:")
    b.key("z", CTRL)
    # A drag that is given up leaves everything as it was.
    for key in (("Escape", 0), ("z", CTRL)):
        before, steps = b.run("core.write('json')"), b.run("past.length")
        b.drag(*middle(2), *middle(0), drop=False)
        b.key(*key)
        same = b.run("core.write('json')") == before and b.run("past.length") == steps
        see(f"given up with {key[0]}, {'same' if same else 'OTHER'}:")
        b.mouse("mouseReleased", *middle(0))

    # By keyboard alone: choose the first, put it elsewhere, let it live longer.
    b.run("canvas.focus()")
    b.key("Escape")
    b.key("n")
    b.key("ArrowUp", SHIFT)
    see("moved up:")
    b.key("z", CTRL)
    b.key("ArrowRight", SHIFT)
    see("longer:")
    print("life:", b.run("lifeText(0)"), "after undo:", end=" ")
    b.key("z", CTRL)
    print(b.run("lifeText(0)"))

    # A field that the core refuses, a text that is none.
    b.run("change(0, 'size', '0')")
    see("no size:")
    b.run("tryOpen('id,lower,upper,size\\na,5,2,8\\n', 'bad.csv')")
    see("no life:")
    print("still:", b.run("now.title"))

    # What only some problems have.
    for other in others:
        title, kind = os.path.basename(other), other.rpartition(".")[2]
        b.drop_file(other, "#canvas")
        b.wait(f"now.title === {json.dumps(title)}")
        b.run("pack(['auto'])")
        same = b.run(f"core.write('{kind}')").encode() == run_tool(on=other)
        see(f"{title}: {'same' if same else 'OTHER'} bytes,")

    # The same plan once more is judged again.
    b.run("tryOpen('id,lower,upper,size\\na,0,5,8\\nb,2,9,4\\n', 'two.csv')")
    for packer in ("first-fit", "first-fit", None, None):
        b.run(f"pack({json.dumps([packer])})" if packer else "pack([...packers.keys()])")
    see("twice:")

    # Above the capacity it is no plan, before and behind Undo and Redo.
    b.run("""tryOpen('{"capacity":12,"buffers":[{"size":8,"lower":0,"upper":3},'
        + '{"size":9,"lower":2,"upper":5}]}', 'cap.json')""")
    see("too high:")
    b.run("pack(['auto'])")
    see("packed too high:")
    b.run("undo()")
    see("undone too high:")
    b.run("redo()")
    see("redone too high:")
    b.run("""tryOpen('{"pools":[{"capacity":12}],"buffers":[{"size":17,"lower":0,"upper":3}]}',
        'pool.json')""")
    see("too high in a pool:")

    # Times beyond 2^53 stay what they are.
    b.run("tryOpen('id,lower,upper,size\\na,0,9007199254740993,8\\n', 'late.csv')")
    b.run("choose(0), edits.key({shiftKey: true, key: 'ArrowRight'})")
    print("late:", b.run("lifeText(0)"), end=" ")
    b.run("edits.key({shiftKey: true, key: 'ArrowLeft'})")
    print(b.run("lifeText(0)"), b.run("hasExactTimes(0)"))

    # Numbers that do not fit, and what is no number.
    for field, value in (
        ("capacity", "99999999999999999999"), ("capacity", "18446744073709551616"),
        ("capacity", "9007199254740992K"), ("capacity", "0"), ("capacity", "1MB"),
        ("steps", "18446744073709551616"), ("steps", "0"),
    ):
        b.run(f"at('{field}').value = '{value}'")
        b.run("pack(['auto'])")
        b.run(f"at('{field}').value = ''")
        see(f"{field} {value}:")
    b.run("at('capacity').value = '9223372036854775807', pack(['auto'])")
    print("largest:", b.run("core.capacity"), end=" ")
    b.run("undo()")
    print("undone:", repr(b.run("core.capacity")), end=" ")
    b.run("redo()")
    print("redone:", b.run("at('capacity').value"))
    b.run("at('family').value = 'unet'")
    for field, values in (
        ("count", ("0", "-5", "abc", "99999999999")),
        ("seed", ("-1", "x", "100000000000000000000")),
    ):
        for value in values:
            b.run(f"at('{field}').value = '{value}', openExample()")
            see(f"{field} {value}:")
        b.run(f"at('{field}').value = '4'")
    b.run("at('seed').value = '18446744073709551615', openExample()")
    seeded = run_tool("gen", "unet", "--buffers=4", "--seed=18446744073709551615", on="-o-")
    print("seeded:", "same" if b.run("now.text").encode() == seeded else "OTHER")

    # Files that are no problems; nothing of them stays.
    b.run("openFile(new File([new Uint8Array([105, 100, 255])], 'latin.csv'))")
    see("no UTF-8:")
    b.run("tryOpen('[[[', 'list.json')")
    see("a list:")
    b.run("tryOpen('id,lower,upper,size\\na,0,5,9223372036854775807\\n', 'all.csv')")
    see("all bytes:")
    b.run("undo()")
    print("undone:", b.run("now.title"), end=" ")
    b.run("redo()")
    print("redone:", b.run("now.title"))

    # The link opens as what it was made from.
    before = b.run("core.write('json')")
    b.run("share()")
    address = b.run("location.href")
    b.open("about:blank")
    b.open(address)
    b.wait("core !== undefined && now !== null")
    print("the link:", "same" if b.run("core.write('json')") == before else "OTHER")
    for damaged in ("AAAA", "", "%%%", address.partition("#p=")[2][:-9]):
        b.open("about:blank")
        b.open(address.partition("#")[0] + "#p=" + damaged)
        b.wait("core !== undefined && now !== null && at('verdict').className === 'bad'")
        see(f"damaged, {b.run('now.title')}:")
    for nothing in ("#P=AAAA", "#x"):
        b.open("about:blank")
        b.open(address.partition("#")[0] + nothing)
        b.wait("core !== undefined && now !== null && at('verdict').className === 'bad'")
        see(f"no link {nothing}:")
    # In the same tab, where a page is open.
    b.run("at('family').value = 'unet', openExample()")
    other = b.run("core.write('json')")
    b.run("location.hash = 'p=AAAA'")
    b.wait("at('verdict').className === 'bad'")
    see("damaged here:")
    print("stays:", "same" if b.run("core.write('json')") == other else "OTHER")
    b.run("location.hash = '%s'" % address.partition("#")[2])
    b.wait("at('verdict').className !== 'bad'")
    print("the link here:", "same" if b.run("core.write('json')") == before else "OTHER")
    b.run("undo()")
    print("undone:", "same" if b.run("core.write('json')") == other else "OTHER")

    requests = [
        e["params"]["request"]["url"]
        for e in b.events
        if e.get("method") == "Network.requestWillBeSent"
    ]
    print("network:", [r for r in requests if not r.startswith(("file:", "blob:", "about:"))])
    print("errors:", [e for e in b.events if e.get("method") == "Runtime.exceptionThrown"])
