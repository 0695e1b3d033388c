// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";
// What the playground adds to Report.js, which draws: a core to ask, problems
// that come in, boxes to drag, and packers to run.
//
// The core holds the truth: the problem and the plan. `now` is their text; each
// change makes another one, and the older ones are what undo goes back to.
const at = id => document.getElementById(id);
let core, module, worker = null, problems = 0;
let now = null; // {title, text, plan}: the problem's text, the plan as JSON
let past = [], future = [];
let tried = []; // {packer, peak, ...} of this very problem
let wrong = []; // [a, b, words]: pairs that the verifier rejects
const MOST_UNDO = 200, MOST_CHECKED = 2500, MOST_MOVED = 3000;
const MOST_GENERATED = 100000n, MOST_COUNTED = 2n ** 64n - 1n, MOST_BYTES = 2n ** 63n - 1n;

// ---- What is there now -----------------------------------------------------
function say(text, kind = "") {
  at("verdict").textContent = text; at("verdict").className = kind;
}
// The verifier's word on the plan.
function judge() {
  const says = core.verify();
  wrong = says ? findWrong() : [];
  if (says) return say("Not a plan: " + says, "bad");
  const {data} = S, peak = Number(data.peak), bound = Number(data.lowerBound);
  const room = peak > bound ? `${human(peak - bound)} over the bound` : "the least there is";
  say(S.count === 0 ? "No buffers." :
      `A valid plan: ${counted(S.count, "buffer")} in ${human(peak)}, ${room}` +
      (peak < S.apart ? `; ${human(S.apart)} without sharing.` : "."));
}
// Every pair that is wrong, while that is quick; else those of the chosen one.
function findWrong() {
  const pairs = [], first = pinned >= 0 ? [pinned] : [];
  const whom = S.count <= MOST_CHECKED ? S.size.keys() : first;
  for (const i of whom)
    for (const {buffer, says} of core.hits(i))
      if (buffer >= i || S.count > MOST_CHECKED) pairs.push([i, buffer, says]);
  return pairs;
}
// Draws what the core holds. `kept` as show in Report.js has it.
function refresh(kept) {
  const focus = document.activeElement?.id; // what is made anew keeps it
  const before = S.count ? {view, offset: S.offset} : null;
  page.scopes = [core.scope(now.title)];
  if (core.verify()) page.scopes[0].status = "invalid"; // as the verdict says
  made.clear();
  show([0], kept);
  S.apart = S.size.reduce((a, b) => a + b, 0);
  judge();
  at("undo").disabled = !past.length; at("redo").disabled = !future.length;
  if (at("source").open) at("text").value = sourceText();
  updateSide();
  if (focus) at(focus)?.focus();
  return before;
}
const kept = () => ({view, pinned, pool: S.pool});
// Boxes fall to where they are now, from where they were `before`.
function fall(before) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!before || calm || before.offset.length !== S.count || S.count > MOST_MOVED) return;
  const scope = S, to = Float64Array.from(S.offset), aim = {...view};
  const start = performance.now(), length = 450;
  const step = time => {
    const part = Math.min(1, Math.max(0, (time - start) / length));
    const eased = 1 - (1 - part) ** 3;
    if (S !== scope) return;
    for (let i = 0; i < S.count; ++i)
      S.offset[i] = before.offset[i] + (to[i] - before.offset[i]) * eased;
    for (const key of Object.keys(aim))
      view[key] = before.view[key] + (aim[key] - before.view[key]) * eased;
    if (part === 1) { S.offset.set(to); view = aim; }
    drawNow();
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// ---- Going there and back --------------------------------------------------
function remember(next) {
  if (now) past.push(now);
  if (past.length > MOST_UNDO) past.shift();
  future = []; now = next;
}
function go(to, from) {
  if (cancelDrag() || !to.length || worker) return;
  from.push(now);
  const last = now;
  now = to.pop();
  if (now.text !== last.text) { core.open(now.text); tried = now.tried; }
  core.takePlan(now.plan);
  showCapacity();
  fall(refresh(now.text === last.text ? kept() : undefined));
}
const undo = () => go(past, future), redo = () => go(future, past);
// What the core can write and draw of a problem that it has just opened. Throws
// what is wrong with it; then the core has again what was there before.
function written(title) {
  try {
    core.scope(title);
    return core.write("json");
  } catch (error) {
    if (now) { core.open(now.text); core.takePlan(now.plan); }
    throw error;
  }
}
// A problem from a text, or the bytes of one. Throws what is wrong with it, and
// then nothing changes.
function openText(text, title) {
  core.open(text);
  const plan = written(title);
  if (typeof text !== "string") text = new TextDecoder().decode(text);
  tried = [];
  remember({title, text, plan, tried});
  showCapacity();
  refresh();
}
function showCapacity() { at("capacity").value = core.capacity; }
function tryOpen(text, title) {
  cancelDrag();
  try { openText(text, title); ++problems; } catch (error) {
    say(`${title}: ${error.message}`, "bad");
  }
}
async function openFile(file) {
  tryOpen(new Uint8Array(await file.arrayBuffer()), file.name);
}
// A field's whole number from `least` to `most`. Throws what is wrong with it, in
// berth-pack's words.
function numberIn(field, label, least, most) {
  const text = at(field).value.trim();
  if (/^\d+$/.test(text) && BigInt(text) > most)
    throw new Error(`${label} '${text}': it is too large: the largest is ${most} [berth-E089]`);
  if (!/^\d+$/.test(text) || BigInt(text) < least)
    throw new Error(`${label} '${text}': expected a ` +
        (least ? "number from 1 up [berth-E060]" : "whole number [berth-E078]"));
  return BigInt(text);
}
function openExample() {
  const family = at("family").value;
  if (!family) return;
  try {
    const count = Number(numberIn("count", "buffers", 1n, MOST_GENERATED));
    const seed = numberIn("seed", "seed", 0n, MOST_COUNTED);
    tryOpen(core.generate(family, count, seed),
            `${family}-${count}${seed ? "-" + seed : ""}.csv`);
  } catch (error) { say(error.message, "bad"); }
}
// The plan was changed in the core by hand; so was the problem, with `text`.
function settle(text) {
  if (text) core.open(text);
  core.judge(!text);
  const plan = written(now.title);
  if (text) tried = [];
  remember({title: now.title, text: text ?? now.text, plan, tried});
  refresh(kept());
}

// ---- Packing ---------------------------------------------------------------
const job = `onmessage = async ({data: {module, text, options}}) => {
  let last = 0;
  try {
    const core = await Core.create(module, (peak, bound, steps) => {
      if (performance.now() - last < 100) return;
      last = performance.now();
      postMessage({peak, bound, steps});
    });
    core.open(text);
    const start = performance.now();
    core.pack(options);
    postMessage({plan: core.write("json"), time: performance.now() - start});
  } catch (error) {
    postMessage({error: error instanceof RangeError ?
        "the search went deeper than this browser's stack allows" : error.message});
  }
};`;
const jobAddress = URL.createObjectURL(
    new Blob([at("core").textContent, job], {type: "text/javascript"}));
function busy(working) {
  for (const id of ["pack", "all"]) at(id).hidden = working;
  at("stop").hidden = !working;
}
function packOptions(packer) {
  const steps = at("steps").value.trim() ? numberIn("steps", "steps", 1n, MOST_COUNTED) : 0n;
  return {packer, steps, seed: 0, minimize: false, capacity: at("capacity").value.trim()};
}
// The answer of the worker; null where it was stopped.
function runJob(options) {
  return new Promise(resolve => {
    worker = new Worker(jobAddress);
    at("stop").onclick = () => resolve(null);
    worker.onerror = event => resolve({error: event.message});
    worker.onmessage = ({data}) => {
      if (data.plan || data.error) resolve(data);
      else say(`${options.packer}: best ${human(data.peak)}, bound ${human(data.bound)}, ` +
               `${grouped(data.steps)} steps`, "busy");
    };
    worker.postMessage({module, text: now.text, options});
  }).finally(() => { worker?.terminate(); worker = null; });
}
// Takes an answer into the core and among what was tried.
function takeAnswer(packer, {plan, time, error}) {
  const old = tried.findIndex(entry => entry.packer === packer);
  if (old >= 0) tried.splice(old, 1);
  if (error) { tried.push({packer, error}); return; }
  const figures = JSON.parse(plan).plan;
  tried.push({packer, plan, time, peak: Number(figures.peak), steps: figures.steps,
              status: figures.status});
}
async function pack(names) {
  if (worker || !now) return;
  cancelDrag();
  let best = null;
  busy(true);
  try {
    for (const packer of names) {
      const options = packOptions(packer);
      core.capacity = options.capacity;
      say(`${packer}: packing`, "busy");
      const answer = await runJob(options);
      if (!answer) break;
      takeAnswer(packer, answer);
      const entry = tried[tried.length - 1];
      if (entry.error && names.length === 1) throw new Error(`${packer}: ${entry.error}`);
      if (!entry.error && (!best || entry.peak < best.peak)) best = entry;
      updateSide();
    }
    if (best) takeTried(best); else judge();
  } catch (error) { say(error.message, "bad"); updateSide(); } finally { busy(false); }
}
function takeTried(entry) {
  if (entry.plan === now.plan) judge(); // the line said what was going on
  else {
    core.takePlan(entry.plan);
    remember({title: now.title, text: now.text, plan: entry.plan, tried});
    fall(refresh());
  }
  if (entry.status === "infeasible" || entry.status === "budget")
    say(`${entry.packer}: ` + (entry.status === "infeasible" ? "nothing fits the capacity" :
        "found nothing that fits the capacity") +
        `; this plan needs ${human(entry.peak)}.`, "bad");
}
function triedList() {
  const most = Math.max(1, ...tried.map(entry => entry.peak ?? 0));
  const rows = tried.filter(entry => !entry.error)
      .sort((a, b) => a.peak - b.peak).map(entry => {
    const note = `${human(entry.peak)}, ${entry.time < 10 ? entry.time.toFixed(1) :
        grouped(Math.round(entry.time))} ms`;
    const button = element("button", {type: "button", className: "row",
        id: "tried-" + entry.packer,
        title: `${packers.get(entry.packer)}; ${entry.status}, ${grouped(entry.steps)} steps`,
        onclick: () => { takeTried(entry); showCapacity(); }},
        element("span", {}, entry.packer), element("em", {}, note));
    button.style.setProperty("--part", 100 * entry.peak / most + "%");
    button.setAttribute("aria-current", entry.plan === now.plan);
    return button;
  });
  const refused = tried.filter(entry => entry.error).map(entry =>
      element("p", {className: "refused"}, `${entry.packer}: ${entry.error}`));
  return rows.length + refused.length === 0 ? [] :
      [element("h3", {}, "Tried on this problem"),
       element("div", {className: "tried"}, ...rows, ...refused)];
}

// ---- Boxes by hand ---------------------------------------------------------
const liveWith = i => {
  const others = new Set();
  for (let mine = S.begin[i]; mine < S.begin[i + 1]; ++mine)
    for (let p = 0; p < S.owner.length; ++p)
      if (S.owner[p] !== i && S.data.pool[S.owner[p]] === S.data.pool[i] &&
          S.pieces[4 * p] < S.pieces[4 * mine + 1] && S.pieces[4 * p + 1] > S.pieces[4 * mine])
        others.add(S.owner[p]);
  return others;
};
// Offsets at which it would touch another that is live with it, or the ground.
function places(i) {
  const step = Number(S.data.alignments[i]), all = new Set([0]);
  for (const other of liveWith(i)) {
    all.add(Math.ceil((S.offset[other] + S.size[other]) / step) * step);
    const under = Math.floor((S.offset[other] - S.size[i]) / step) * step;
    if (under >= 0) all.add(under);
  }
  return [...all].sort((a, b) => a - b);
}
function place(i, offset) {
  S.offset[i] = offset; S.exactOffset[i] = String(offset);
  core.offsets[i] = BigInt(offset);
  const hits = core.hits(i);
  wrong = hits.map(({buffer, says}) => [i, buffer, says]);
  say(hits.length === 0 ? `${name(i)} at ${grouped(offset)}: hits nothing.` :
      `${name(i)} at ${grouped(offset)}: ` + hits.slice(0, 3).map(hit => hit.says).join("; ") +
      (hits.length > 3 ? `; and ${hits.length - 3} more` : ""), hits.length ? "bad" : "");
}
// Which part of a box is under the pointer.
function partAt(x, y) {
  const i = bufferAt(x, y);
  if (i < 0) return null;
  let part = "offset";
  visiblePieces((p, px, py, w, h) => {
    if (S.owner[p] !== i || x < px || x >= px + w || y < py || y >= py + h) return;
    if (h > 16 && y - py < 4) part = "size";
    if (w > 20 && x - px < 5 && p === S.begin[i]) part = "lower";
    if (w > 20 && px + w - x < 5 && p === S.begin[i + 1] - 1) part = "upper";
  });
  return {i, part};
}
// The largest power of two of bytes that a pixel holds: finer no hand can aim.
const grain = () => 2 ** Math.max(0, Math.floor(Math.log2((view.b1 - view.b0) / mapHeight())));
function moveThing(i, y) {
  const from = S.offset[i], start = byteAt(y), near = places(i);
  const alignment = Number(S.data.alignments[i]);
  const step = Math.ceil(grain() / alignment) * alignment;
  return (x, to) => {
    const free = Math.max(0, from + byteAt(to) - start);
    const reach = (view.b1 - view.b0) / mapHeight() * 7;
    const snap = near.filter(offset => Math.abs(offset - free) < reach)
        .sort((a, b) => Math.abs(a - free) - Math.abs(b - free))[0];
    place(i, snap ?? Math.round(free / step) * step);
    draw();
  };
}
const FIELDS = ["size", "alignment", "lower", "upper"];
// Changes a number of the problem itself.
function change(i, field, value) {
  try { settle(core.change(i, FIELDS.indexOf(field), value)); } catch (error) {
    refresh(kept());
    say(error.message, "bad");
  }
}
function stretchThing(i, part, thing) {
  const first = 4 * S.begin[i], last = 4 * (S.begin[i + 1] - 1);
  const pieces = Float64Array.from(S.pieces.slice(first, last + 4)), bytes = S.size[i];
  return (x, y) => {
    if (part === "lower")
      thing.value = S.pieces[first] = Math.min(Math.round(timeAt(x)), pieces[1] - 1);
    else if (part === "upper")
      thing.value = S.pieces[last + 1] =
          Math.max(Math.round(timeAt(x)), pieces[pieces.length - 4] + 1);
    else {
      const step = grain();
      thing.value = Math.max(1, Math.round((byteAt(y) - S.offset[i]) / step) * step);
      for (let p = first; p <= last; p += 4)
        S.pieces[p + 3] = pieces[p + 3 - first] === bytes ? thing.value : S.pieces[p + 3];
      S.size[i] = thing.value;
    }
    say(`${name(i)}: ${part} ${grouped(thing.value)}`, "busy");
    draw();
  };
}
// Beyond 2^53 what is drawn is rounded.
const hasExactTimes = i =>
    [4 * S.begin[i], 4 * S.begin[i + 1] - 3].every(p => Number.isSafeInteger(S.pieces[p]));
edits.grab = (x, y) => {
  const grip = worker || !now ? null : partAt(x, y);
  if (!grip) return null;
  const {i, part} = grip, thing = {};
  thing.cancel = () => { core.takePlan(now.plan); refresh(kept()); };
  if ((part === "lower" || part === "upper") && !hasExactTimes(i)) {
    thing.move = () => say(`${name(i)}: it lives beyond time 2^53, where a drag would ` +
                           "round: write the time into its field", "bad");
    thing.drop = () => {};
    return thing;
  }
  thing.move = part === "offset" ? moveThing(i, y) : stretchThing(i, part, thing);
  thing.drop = () => {
    pinned = i;
    if (part === "offset") settle(); else change(i, part, thing.value);
  };
  return thing;
};
edits.hover = (x, y) =>
    ({offset: "grab", size: "ns-resize", lower: "ew-resize", upper: "ew-resize"})[
        partAt(x, y)?.part] ?? "crosshair";
// What is wrong is hatched where it is seen.
edits.paint = () => {
  paint.fillStyle = colors.warn; paint.globalAlpha = .6;
  const rectangles = i => {
    const all = [];
    for (let p = S.begin[i]; p < S.begin[i + 1]; ++p)
      all.push([S.pieces[4 * p], S.pieces[4 * p + 1], S.offset[i] + S.pieces[4 * p + 2],
                S.offset[i] + S.pieces[4 * p + 3]]);
    return all;
  };
  for (const [a, b] of wrong.slice(0, 500)) {
    if (S.data.pool[a] !== S.pool || S.data.pool[b] !== S.pool) continue;
    for (const one of rectangles(a)) for (const two of rectangles(b)) {
      const x = xOf(Math.max(one[0], two[0])), y = yOf(Math.min(one[3], two[3]));
      const w = xOf(Math.min(one[1], two[1])) - x, h = yOf(Math.max(one[2], two[2])) - y;
      if (w > 0 && h > 0) paint.fillRect(x, y, Math.max(w, 2), Math.max(h, 2));
    }
  }
  paint.globalAlpha = 1;
  for (const [a, b] of wrong.slice(0, 500)) { outline(a, colors.warn, 2); outline(b, colors.warn, 2); }
};
edits.key = event => {
  if (!event.shiftKey || pinned < 0 || worker) return false;
  const i = pinned, all = places(i), {key} = event;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const next = key === "ArrowUp" ? all.find(offset => offset > S.offset[i]) :
        all.filter(offset => offset < S.offset[i]).pop();
    if (next !== undefined) { place(i, next); const said = at("verdict").textContent;
      settle(); if (!wrong.length) say(said); }
    return true;
  }
  if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
  const end = BigInt(S.data.pieces[4 * S.begin[i + 1] - 3]);
  change(i, "upper", end + (key === "ArrowRight" ? 1n : -1n));
  return true;
};
edits.side = i => {
  const field = (what, label, value) => {
    const input = element("input", {type: "text", inputMode: "numeric", id: "field-" + what,
        value, onchange: () => {
      if (!/^\d+$/.test(input.value.trim()))
        return say(`${label} '${input.value}': expected a whole number`, "bad");
      const number = BigInt(input.value.trim());
      const most = MOST_BYTES - (what === "offset" ? BigInt(S.exact[i]) : 0n);
      if (number > most)
        return say(`${label} '${number}': it is too large: the largest is ${most} [berth-E089]`,
                   "bad");
      if (what !== "offset") return change(i, what, number);
      core.offsets[i] = number;
      settle();
    }});
    return [element("label", {htmlFor: "field-" + what}, label), input];
  };
  const hits = wrong.filter(([a, b]) => a === i || b === i);
  return [
    element("div", {className: "fields"},
        ...field("offset", "offset", S.exactOffset[i]), ...field("size", "size", S.exact[i]),
        ...field("lower", "from", S.data.pieces[4 * S.begin[i]]),
        ...field("upper", "until", S.data.pieces[4 * S.begin[i + 1] - 3]),
        ...field("alignment", "alignment", S.data.alignments[i])),
    ...(hits.length ? [element("h3", {}, "The verifier says"), element("ul", {className: "hits"},
        ...hits.slice(0, 8).map(([, , says]) => element("li", {}, says)))] : [])];
};
function keys(...rows) {
  const list = pairs(...rows.map(([key, what]) => [element("kbd", {}, key), what]));
  list.classList.add("keys");
  return list;
}
edits.help = () => [
  ...(past.length > 1 || tried.length ? [] : [element("p", {className: "hint"},
      "A packer slides the boxes up and down, never sideways, until none overlap and the " +
      "highest top, the peak, is as low as it can be. No plan is lower than the load, the " +
      "most bytes live at any time. Drag a box to do it by hand: the verifier says what it " +
      "hits. Its left and right edges are its life, its top edge its size.")]),
  ...triedList(),
  keys(["Shift ↑ ↓", "to the next place"], ["Shift ← →", "end of life"],
       ["Ctrl Enter", "pack"], ["Ctrl Z", "undo, or let a drag be"])];

// ---- Texts, files, links ---------------------------------------------------
function sourceText() {
  try { return core.write("csv"); } catch { return core.write("json"); }
}
function save(format) {
  const types = {csv: "text/csv", json: "application/json", svg: "image/svg+xml",
                 html: "text/html"};
  try {
    const text = core.write(format, now.title);
    const link = element("a", {download: now.title.replace(/\.\w+$/, "") + "." + format,
        href: URL.createObjectURL(new Blob([text], {type: types[format]}))});
    link.click();
    URL.revokeObjectURL(link.href);
    at("verdict").dataset.saved = format;
  } catch (error) { say(error.message, "bad"); }
}
async function squeeze(bytes, stream) {
  return new Uint8Array(await new Response(
      new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function share() {
  const text = JSON.stringify([now.title, core.write("json")]);
  const bytes = await squeeze(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  const packed = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  history.replaceState(null, "", "#p=" + packed);
  try { await navigator.clipboard.writeText(location.href); } catch { /* it stays above */ }
  say(`The link, ${grouped(location.href.length)} letters, is in the address bar` +
      (packed.length > 30000 ? "; many programs cut one as long as this." : "."));
}
// False where the link does not hold what share made.
async function openLink(packed) {
  try { await unpack(packed); return true; } catch { return false; }
}
// What share made; "" where something else stands behind #, undefined where nothing does.
const linkOf = () => location.hash ? location.hash.match(/^#p=(.*)$/)?.[1] ?? "" : undefined;
// In the same tab a link loads nothing: only what stands behind # is another.
async function openLinkHere() {
  const link = linkOf();
  if (link !== undefined && !await openLink(link))
    say("This link is damaged or cut off; what was here stays.", "bad");
}
async function unpack(packed) {
  const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
  const text = await squeeze(bytes, new DecompressionStream("deflate-raw"));
  const [title, json] = JSON.parse(new TextDecoder().decode(text));
  openText(json, title);
}

// ---- Controls --------------------------------------------------------------
let packers = new Map();
at("bar").addEventListener("submit", event => {
  event.preventDefault(); pack([at("packer").value]);
});
at("all").addEventListener("click", () => pack([...packers.keys()]));
at("open").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", async event => {
  const [file] = event.target.files;
  if (file) await openFile(file);
  event.target.value = "";
});
for (const id of ["family", "count", "seed"]) at(id).addEventListener("change", openExample);
at("packer").addEventListener("change", () =>
    say(`${at("packer").value}: ${packers.get(at("packer").value)}`, "busy"));
at("undo").addEventListener("click", undo);
at("redo").addEventListener("click", redo);
at("share").addEventListener("click", share);
for (const button of document.querySelectorAll("[data-save]"))
  button.addEventListener("click", () => save(button.dataset.save));
at("source").addEventListener("toggle", () => { at("text").value = sourceText(); });
at("apply").addEventListener("click", () => tryOpen(at("text").value, now.title));
document.addEventListener("keydown", event => {
  if (!event.ctrlKey && !event.metaKey) return;
  const key = event.key.toLowerCase();
  if (key === "enter") pack([at("packer").value]);
  else if (/TEXTAREA|INPUT/.test(event.target.tagName)) return;
  else if (key === "z") (event.shiftKey ? redo : undo)();
  else if (key === "y") redo();
  else return;
  event.preventDefault();
});
document.addEventListener("dragover", event => {
  event.preventDefault(); document.body.classList.add("over");
});
document.addEventListener("dragleave", event => {
  if (!event.relatedTarget) document.body.classList.remove("over");
});
document.addEventListener("drop", async event => {
  event.preventDefault(); document.body.classList.remove("over");
  const [file] = event.dataTransfer.files;
  if (file) await openFile(file);
});
document.addEventListener("paste", event => {
  if (/TEXTAREA|INPUT/.test(event.target.tagName)) return;
  tryOpen(event.clipboardData.getData("text"), "pasted");
});

// ---- Start -----------------------------------------------------------------
async function start() {
  const letters = atob(at("wasm").textContent);
  module = await WebAssembly.compile(
      Uint8Array.from(letters, letter => letter.charCodeAt(0)));
  core = await Core.create(module);
  const catalogue = core.catalogue();
  packers = new Map(catalogue.packers);
  const option = ([name, summary]) =>
      element("option", {value: name, title: summary}, name);
  at("packer").append(...catalogue.packers.map(option));
  at("packer").value = "auto";
  at("family").append(element("option", {value: ""}, "Example"),
                      ...catalogue.families.map(option));
  addEventListener("hashchange", openLinkHere);
  const link = linkOf();
  if (link !== undefined && await openLink(link)) return;
  at("family").value = "unet";
  openExample();
  if (link !== undefined) say("This link is damaged or cut off; here is an example instead.", "bad");
}
start().catch(error => say("The playground did not start: " + error.message, "bad"));
