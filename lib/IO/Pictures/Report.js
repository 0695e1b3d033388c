// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";
// What a page that does more than show has to say, such as the playground: each
// of these is asked where there is one.
//   grab(x, y)   a thing with move(x, y), drop() and cancel() to drag instead of the view
//   hover(x, y)  the cursor there
//   paint()      draws over the boxes
//   key(event)   true if it was for it
//   side(i), help()  nodes for the side panel of a buffer, and of none
const edits = {};
// Numbers beyond 2^53 come as strings: exact to show, close enough to draw.
const page = JSON.parse(document.getElementById("data").textContent);
// The load over time: from time[k] on, load[k] bytes are live.
function loadCurve(pieces) {
  const n = pieces.length / 4, time = new Float64Array(2 * n);
  const change = new Float64Array(2 * n);
  for (let p = 0; p < n; ++p) {
    const bytes = pieces[4 * p + 3] - pieces[4 * p + 2];
    time[2 * p] = pieces[4 * p]; change[2 * p] = bytes;
    time[2 * p + 1] = pieces[4 * p + 1]; change[2 * p + 1] = -bytes;
  }
  const order = Uint32Array.from({length: 2 * n}, (_, i) => i)
      .sort((a, b) => time[a] - time[b]);
  const curve = {time: [], load: []};
  let load = 0;
  order.forEach((event, k) => {
    load += change[event];
    if (k + 1 < order.length && time[order[k + 1]] === time[event]) return;
    curve.time.push(time[event]); curve.load.push(load);
  });
  return curve;
}
// One arena, as it is drawn.
function makeScope(data) {
  const pieces = Float64Array.from(data.pieces, Number); // lower upper low high
  const count = data.sizes.length, begin = data.pieceBegin;
  const owner = new Uint32Array(pieces.length / 4);
  for (let i = 0; i < count; ++i) owner.fill(i, begin[i], begin[i + 1]);
  const curve = loadCurve(pieces), firstTime = curve.time[0] ?? 0;
  let lastTime = curve.time[curve.time.length - 1] ?? 1;
  if (lastTime <= firstTime) lastTime = firstTime + 1;
  const maxLoad = curve.load.reduce((a, b) => Math.max(a, b), 0);
  return {data, count, pieces, begin, owner, curve, firstTime, lastTime, maxLoad,
          fullest: curve.time[curve.load.indexOf(maxLoad)] ?? firstTime,
          exact: data.sizes.map(String), exactOffset: data.offsets.map(String),
          size: Float64Array.from(data.sizes, Number),
          offset: Float64Array.from(data.offsets, Number), pool: 0,
          left: 0, right: 0, top: 0, bottom: 0};
}
// The arena that all below speaks of; in a comparison there are two at once.
let S = null, shown = [];
const made = new Map(); // by number, as they are asked for
function scopeAt(k) {
  if (!made.has(k)) made.set(k, makeScope(page.scopes[k]));
  return made.get(k);
}
const name = i => S.data.ids[i] ?? "b" + i;
const lineOf = i => S.data.lines?.[i];
// The place of a line, with a link where the file's name can be one: as the
// compiler was given it, so it leads there if the page lies where that was run.
function sourceLink(line) {
  const [, file, number] = /^(.*):(\d+)$/.exec(line) ?? [, S.data.file, line];
  if (!file) return "line " + number;
  const text = file.replace(/.*\//, "") + ":" + number;
  return /^[\w./ +-]+$/.test(file) && file !== "-" ?
      element("a", {href: encodeURI(file), title: file}, text) : text;
}
// The op at a time, where the reporter knows it.
function opAt(time) {
  const points = S.data.points, k = Math.floor(time);
  if (!points || !(k >= 0) || k >= points.op.length) return "";
  const line = points.line[k];
  return points.op[k] + (line ? ", line " + line : "");
}
function loadAt(t) {
  let low = 0, high = S.curve.time.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (S.curve.time[mid] <= t) low = mid + 1; else high = mid;
  }
  return low > 0 ? S.curve.load[low - 1] : 0;
}

// ---- Text ------------------------------------------------------------------
function human(bytes) {
  bytes = Number(bytes);
  if (bytes < 10000) return Math.round(bytes) + " B";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let u = 0;
  while (bytes >= 1024 && u < 6) { bytes /= 1024; ++u; }
  return (Number.isInteger(bytes) ? bytes : bytes.toFixed(bytes < 10 ? 2 : 1)) +
      " " + units[u];
}
const counted = (n, what) => `${grouped(n)} ${what}${Number(n) === 1 ? "" : "s"}`;
const grouped = text => String(text).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}
function addFigure(label, text, kind) {
  document.getElementById("figures").append(
      element("span", {className: "figure " + (kind || "")}, label + " ",
              element("b", {}, text)));
}
function addFigures() {
  const data = S.data;
  // A buffer that is overwritten whole begins a new life, in a box of its own.
  const later = data.laterLives ?? 0;
  addFigure("buffers", grouped(S.count - later) +
      (later ? ` in ${grouped(S.count)} lives (boxes)` : ""));
  if (data.bytesBefore !== undefined)
    addFigure("before", human(data.bytesBefore));
  if (!data.planned) return;
  const over = data.capacity && Number(data.peak) > Number(data.capacity);
  addFigure("peak", human(data.peak), over ? "bad" : "");
  addFigure("load", human(data.load));
  addFigure("lower bound", human(data.lowerBound));
  if (data.online !== undefined)
    addFigure("online heap", human(data.online));
  if (Number(data.load) > 0)
    addFigure("peak / load", (Number(data.peak) / Number(data.load)).toFixed(4));
  if (data.capacity) addFigure("capacity", human(data.capacity));
  addFigure("status", data.status,
            {optimal: "good", infeasible: "bad", budget: "bad", invalid: "bad"}[data.status]);
  addFigure("packer", data.packer);
  if (data.unplaced?.length)
    addFigure("not placed", grouped(data.unplaced.length), "bad");
}
function showFigures() {
  const titles = shown.map(scope => scope.data.title);
  const figures = document.getElementById("figures");
  figures.replaceChildren();
  document.getElementById("title").textContent = titles[0];
  document.title = "Berth: " + titles.join(" | ");
  for (S of shown) {
    if (S !== shown[0]) // a line of its own, as the first has
      figures.append(element("span", {className: "break"}),
                     element("h1", {}, S.data.title));
    addFigures();
  }
  S = shown[0];
  canvas.setAttribute("aria-label", shown.map(({data, count}) =>
      `${data.title}: ${count} buffer${count === 1 ? "" : "s"}` + (data.planned ?
      `, peak ${human(data.peak)}, load ${human(data.load)}` : "")).join("; "));
}

// ---- View ------------------------------------------------------------------
const canvas = document.getElementById("canvas");
const paint = canvas.getContext("2d");
const HEAD = 14, FOOT = 26, STRIP = 92, GAP = 14;
let view, width = 0, height = 0, hovered = -1, pinned = -1;
let near = {below: [], above: []}, pointer = null;

function poolPeak() {
  let peak = 0;
  for (let i = 0; i < S.count; ++i)
    if (S.data.pool[i] === S.pool) peak = Math.max(peak, S.offset[i] + S.size[i]);
  return peak;
}
function capacity() { return Number(S.data.pools[S.pool].capacity); }
function fit() {
  const all = {t0: Infinity, t1: -Infinity, b0: 0, b1: 1};
  for (S of shown) {
    let top = Math.max(poolPeak(), S.data.pools.length === 1 ? S.maxLoad : 0);
    if (capacity() > top && capacity() <= 1.6 * top) top = capacity();
    all.t0 = Math.min(all.t0, S.firstTime);
    all.t1 = Math.max(all.t1, S.lastTime);
    all.b1 = Math.max(all.b1, top * 1.03);
  }
  S = shown[0];
  view = all;
}
const mapWidth = () => Math.max(50, S.right - S.left);
const mapHeight = () => Math.max(50, S.bottom - S.top - STRIP - GAP - FOOT);
const xOf = t => S.left + (t - view.t0) / (view.t1 - view.t0) * mapWidth();
const yOf = b => S.top + mapHeight() * (1 - (b - view.b0) / (view.b1 - view.b0));
const timeAt = x => view.t0 + (x - S.left) / mapWidth() * (view.t1 - view.t0);
const byteAt = y => view.b0 +
    (1 - (y - S.top) / mapHeight()) * (view.b1 - view.b0);

// In a comparison, the buffers that have another place in the other plan.
let moved = null;
function differences() {
  const [a, b] = [scopeAt(0), scopeAt(1)];
  moved ??= new Set(Array.from(a.size.keys()).filter(i =>
      a.exactOffset[i] !== b.exactOffset[i] || a.data.pool[i] !== b.data.pool[i]));
  return moved;
}

// ---- Drawing ---------------------------------------------------------------
let colors = {};
function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const key of ["paper", "panel", "line", "grid", "ink", "soft", "accent",
                     "warn", "fillLight", "edgeLight"])
    colors[key] = style.getPropertyValue("--" + key).trim();
}
const hue = i => (200 + (i % 100000) * 222.49223594996216) % 360;
const fillOf = i => `hsl(${hue(i).toFixed(1)} 52% ${colors.fillLight})`;
const edgeOf = i => `hsl(${hue(i).toFixed(1)} 48% ${colors.edgeLight})`;

function tickStep(extent, ticks, bytes) {
  const rough = extent / ticks;
  if (rough <= 1) return 1;
  if (bytes && rough > 256) return 2 ** Math.ceil(Math.log2(rough) - 0.25);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const digits = rough / magnitude;
  return magnitude * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
}
function text(string, x, y, color, align) {
  paint.fillStyle = color; paint.textAlign = align || "left";
  paint.fillText(string, x, y);
}
// One unit for all ticks of an axis: that of the largest, unless they stand so
// close that only bytes tell them apart.
function axisText(step, most) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let u = 0;
  while (most / 1024 ** u >= 1024 && u < 6) ++u;
  if (most < 10000 || step / 1024 ** u < 0.001) u = 0;
  const part = step / 1024 ** u;
  const decimals = part >= 1 || u === 0 ? 0 :
      Number.isInteger(part * 2) ? 1 : Number.isInteger(part * 4) ? 2 : 3;
  return bytes => u === 0 ? grouped(Math.round(bytes)) + " B" :
      (bytes / 1024 ** u).toFixed(decimals) + " " + units[u];
}
function drawAxes() {
  const bottom = S.top + mapHeight();
  paint.font = "11px system-ui, sans-serif"; paint.lineWidth = 1;
  const byteStep = tickStep(view.b1 - view.b0, mapHeight() / 64, true);
  const label = axisText(byteStep, view.b1);
  const firstByte = Math.ceil(view.b0 / byteStep);
  for (let k = 0; k < 100; ++k) {
    const byte = (firstByte + k) * byteStep, y = Math.round(yOf(byte)) + .5;
    if (byte > view.b1) break;
    if (byte < 0) continue; // the view may be moved below the arena
    paint.strokeStyle = colors.grid;
    paint.beginPath(); paint.moveTo(S.left, y);
    paint.lineTo(S.left + mapWidth(), y); paint.stroke();
    text(label(byte), S.left - 8, y + 4, colors.soft, "right");
  }
  const timeStep = tickStep(view.t1 - view.t0, mapWidth() / 90, false);
  const firstTick = Math.ceil(view.t0 / timeStep);
  const ticks = [];
  for (let k = 0; k < 100 && (firstTick + k) * timeStep <= view.t1; ++k)
    ticks.push((firstTick + k) * timeStep);
  // Where ops are known and there is room for all, they stand for their times.
  const room = timeStep / (view.t1 - view.t0) * mapWidth() - 8;
  const ops = ticks.map(time => opAt(time).split(",")[0]);
  const fit = ops.some(op => op) &&
      ops.every(op => paint.measureText(op).width < room);
  let end = -Infinity; // of the labels so far
  ticks.forEach((time, k) => {
    const label = fit ? ops[k] : grouped(Math.round(time)), x = xOf(time);
    const wide = paint.measureText(label).width;
    const isLast = x + wide > S.right + (narrow() ? 8 : 100); // no room behind it
    const align = isLast ? "right" : S.data.points ? "left" : "center";
    const left = isLast ? S.right - wide : align === "left" ? x : x - wide / 2;
    if (left < end + 6) return;
    end = left + wide;
    text(label, isLast ? S.right : x, S.bottom - 8, colors.soft, align);
  });
  if (shown.length > 1) text(S.data.title, S.left, S.top - 4, colors.ink);
  paint.strokeStyle = colors.line;
  paint.strokeRect(S.left + .5, S.top + .5, mapWidth(), mapHeight());
  paint.strokeRect(S.left + .5, bottom + GAP + .5, mapWidth(), STRIP);
}
function drawReserved() {
  paint.fillStyle = colors.line;
  for (const [low, high] of S.data.pools[S.pool].reserved) {
    const y = yOf(Number(high));
    paint.fillRect(S.left, y, mapWidth(), yOf(Number(low)) - y);
  }
}
// Calls visit(piece, x, y, w, h) for what is visible in this pool.
function visiblePieces(visit) {
  for (let p = 0; p < S.owner.length; ++p) {
    const i = S.owner[p], at = 4 * p;
    if (S.data.pool[i] !== S.pool || S.pieces[at + 1] <= view.t0 ||
        S.pieces[at] >= view.t1) continue;
    const low = S.offset[i] + S.pieces[at + 2], high = S.offset[i] + S.pieces[at + 3];
    if (high <= view.b0 || low >= view.b1) continue;
    const x = xOf(S.pieces[at]), y = yOf(high);
    visit(p, x, y, xOf(S.pieces[at + 1]) - x, yOf(low) - y);
  }
}
function drawBoxes() {
  paint.font = "11px system-ui, sans-serif";
  const moved = page.compare ? differences() : null;
  visiblePieces((p, x, y, w, h) => {
    const i = S.owner[p];
    paint.globalAlpha = moved && !moved.has(i) ? .35 : 1;
    paint.fillStyle = fillOf(i);
    paint.fillRect(x, y, Math.max(w, .5), Math.max(h, .5));
    if (w > 3 && h > 3) {
      paint.strokeStyle = edgeOf(i); paint.lineWidth = 1;
      paint.strokeRect(x + .5, y + .5, w - 1, h - 1);
    }
    if (h < 13 || w < 16) return;
    const left = Math.max(x, S.left), right = Math.min(x + w, S.left + mapWidth());
    // A name such as "%a (line 3, buffer 0)" is cut to its first word where need be.
    const label = [name(i), name(i).split(" (")[0]]
        .find(word => word.length * 6.4 + 6 < right - left);
    if (label)
      text(label, (left + right) / 2, y + h / 2 + 4, colors.ink, "center");
  });
  paint.globalAlpha = 1;
}
function outline(i, color, lineWidth) {
  paint.strokeStyle = color; paint.lineWidth = lineWidth;
  visiblePieces((p, x, y, w, h) => {
    if (S.owner[p] === i) paint.strokeRect(x, y, Math.max(w, 1), Math.max(h, 1));
  });
}
function drawChosen() {
  const chosen = pinned >= 0 ? pinned : hovered;
  if (chosen < 0) return;
  for (const other of [...near.below, ...near.above])
    outline(other.index, colors.accent, 1.5);
  outline(chosen, colors.ink, 2.5);
}
function drawLevel(bytes, label, color, dash, labels) {
  bytes = Number(bytes);
  if (!(bytes > view.b0 && bytes <= view.b1)) return;
  const y = Math.round(yOf(bytes)) + .5;
  paint.strokeStyle = color; paint.lineWidth = 1.5; paint.setLineDash(dash);
  paint.beginPath(); paint.moveTo(S.left, y);
  paint.lineTo(S.left + mapWidth() + 5, y); paint.stroke();
  paint.setLineDash([]);
  labels.push({y: y + 4, label: label + " " + human(bytes), color});
}
function drawLevels() {
  const labels = [], peak = poolPeak();
  if (capacity()) drawLevel(capacity(), "capacity", colors.warn, [], labels);
  if (S.data.planned) drawLevel(peak, "peak", colors.ink, [], labels);
  if (S.data.planned && S.data.pools.length === 1) {
    if (Number(S.data.lowerBound) > S.maxLoad)
      drawLevel(S.data.lowerBound, "bound", colors.soft, [3, 3], labels);
    drawLevel(S.maxLoad, "load", colors.accent, [7, 4], labels);
  }
  labels.sort((a, b) => a.y - b.y);
  paint.font = "11px system-ui, sans-serif";
  labels.forEach((l, k) => {
    if (k > 0) l.y = Math.max(l.y, labels[k - 1].y + 14);
    if (narrow()) {
      const x = S.left + mapWidth() - 6; // over boxes and lines
      paint.textAlign = "right"; paint.strokeStyle = colors.paper; paint.lineWidth = 3;
      paint.strokeText(l.label, x, l.y - 8);
      text(l.label, x, l.y - 8, l.color, "right");
    } else text(l.label, S.left + mapWidth() + 8, l.y, l.color);
  });
}
function drawCurve() {
  const bottom = S.bottom - FOOT, scale = (STRIP - 6) / Math.max(1, S.maxLoad);
  let load = loadAt(view.t0);
  paint.beginPath(); paint.moveTo(S.left, bottom);
  paint.lineTo(S.left, bottom - load * scale);
  for (let k = 0; k < S.curve.time.length; ++k) {
    if (S.curve.time[k] < view.t0) continue;
    if (S.curve.time[k] > view.t1) break;
    const x = xOf(S.curve.time[k]);
    paint.lineTo(x, bottom - load * scale);
    load = S.curve.load[k];
    paint.lineTo(x, bottom - load * scale);
  }
  paint.lineTo(S.left + mapWidth(), bottom - load * scale);
  paint.lineTo(S.left + mapWidth(), bottom);
  paint.globalAlpha = .18; paint.fillStyle = colors.accent; paint.fill();
  paint.globalAlpha = 1; paint.strokeStyle = colors.accent;
  paint.lineWidth = 1.2; paint.stroke();
}
// Barriers and the like. Svg.c has the same rule: those within a few pixels are
// one; each is a line through the boxes, its name where it fits, while the lines
// have 24 pixels on the average, else a tick under them.
const MARK = 4, LINE = 24, TICK = 7;
function markGroups() {
  const groups = [];
  for (const [time, what, buffer] of S.data.marks ?? []) {
    if (buffer !== undefined || time < view.t0 || time > view.t1) continue;
    const x = Math.round(xOf(time)) + .5, last = groups.at(-1);
    if (last && x < last.x + MARK) { last.count += 1; last.to = time; }
    else groups.push({x, time, to: time, count: 1, kinds: new Map()});
    const {kinds} = groups.at(-1);
    kinds.set(what, (kinds.get(what) ?? 0) + 1);
  }
  return groups;
}
// What a group is of, each kind with its number.
const markText = group => [...group.kinds].map(([what, count]) =>
    what + (count > 1 ? " \u00d7" + grouped(count) : "")).join(", ");
const areTicks = groups => groups.length * LINE > mapWidth();
// The one under the pointer.
function markNear() {
  if (!pointer) return undefined;
  const far = group => Math.abs(group.x - pointer.x);
  const [first] = markGroups().filter(group => far(group) < MARK)
      .sort((a, b) => far(a) - far(b) || a.x - b.x);
  return first;
}
function drawMarkLine(group, top, bottom, dash) {
  const isBarrier = [...group.kinds.keys()].some(what => what.includes("barrier"));
  paint.strokeStyle = isBarrier ? colors.warn : colors.soft;
  paint.lineWidth = 1; paint.setLineDash(dash);
  paint.beginPath(); paint.moveTo(group.x, top); paint.lineTo(group.x, bottom);
  paint.stroke(); paint.setLineDash([]);
}
function drawMarkLines() {
  const groups = markGroups(), seen = markNear();
  const lines = areTicks(groups) ? groups.filter(group => group.x === seen?.x) : groups;
  paint.font = "10px system-ui, sans-serif";
  lines.forEach((group, k) => {
    drawMarkLine(group, S.top, S.top + mapHeight(), [2, 3]);
    const label = markText(group);
    const end = group.x + paint.measureText(label).width + 6;
    const flip = !lines[k + 1] && end > S.left + mapWidth();
    if (flip || end < (lines[k + 1]?.x ?? Infinity))
      text(label, group.x + (flip ? -3 : 3), S.top + 10, colors.soft, flip ? "right" : "left");
  });
}
function drawMarkTicks() {
  const groups = markGroups(), bottom = S.top + mapHeight();
  if (areTicks(groups))
    for (const group of groups) drawMarkLine(group, bottom, bottom + TICK, []);
}
// Half of what a move's triangle has across: no larger than the box.
function moveSide(i) {
  const high = yOf(S.offset[i]) - yOf(S.offset[i] + S.size[i]);
  const wide = xOf(S.pieces[4 * S.begin[i + 1] - 3]) - xOf(S.pieces[4 * S.begin[i]]);
  return Math.min(5, wide / 2, high / 2);
}
// A box of a few pixels has room for no triangle: its moves are ticks at the upper
// edge, those within a few pixels as one. Svg.c has the same rule.
const LEAST_SIDE = 1.5;
function seenMoves() {
  const moves = [], ticks = [];
  for (const [time, what, buffer] of S.data.marks ?? []) {
    if (buffer === undefined || time < view.t0 || time > view.t1 ||
        S.data.pool[buffer] !== S.pool) continue;
    if (moveSide(buffer) >= LEAST_SIDE) { moves.push([time, what, buffer]); continue; }
    const x = Math.round(xOf(time)) + .5;
    if (!ticks.length || x >= ticks.at(-1).x + MARK)
      ticks.push({x, count: 0, kinds: new Map()});
    const {kinds} = ticks.at(-1);
    ticks.at(-1).count += 1;
    kinds.set(what, (kinds.get(what) ?? 0) + 1);
  }
  return {moves, ticks};
}
function drawMoves() {
  const {moves, ticks} = seenMoves();
  for (const [time, what, buffer] of moves) drawMove(time, what, buffer);
  paint.font = "10px system-ui, sans-serif";
  for (const tick of ticks) {
    paint.strokeStyle = tick.kinds.has("spill") ? colors.warn : colors.accent;
    paint.lineWidth = 2;
    paint.beginPath(); paint.moveTo(tick.x, S.top);
    paint.lineTo(tick.x, S.top + TICK); paint.stroke();
    if (!pointer || Math.abs(tick.x - pointer.x) >= MARK / 2) continue;
    const flip = tick.x > S.left + mapWidth() / 2;
    text(markText(tick), tick.x + (flip ? -3 : 3), S.top + 22, colors.ink,
         flip ? "right" : "left");
  }
}
// A triangle at the edge of the box that comes in or goes out.
function drawMove(time, what, i) {
  const side = moveSide(i), right = S.left + mapWidth() - side;
  const x = Math.max(S.left + side, Math.min(xOf(time), right)); // whole at an edge
  const y = yOf(S.offset[i] + S.size[i] / 2);
  const up = (what === "spill" ? -1.8 : 1.8) * side;
  paint.fillStyle = what === "spill" ? colors.warn : colors.accent;
  paint.beginPath(); paint.moveTo(x, y); paint.lineTo(x - side, y + up);
  paint.lineTo(x + side, y + up); paint.fill();
  paint.strokeStyle = colors.paper; paint.lineWidth = 1; paint.stroke();
}
function drawCurveLabels() {
  const top = S.bottom - FOOT - STRIP;
  paint.font = "11px system-ui, sans-serif";
  if (S.count === 0)
    text("nothing is placed", S.left + mapWidth() / 2, S.top + mapHeight() / 2,
         colors.soft, "center");
  if (S.count === 0) return;
  text("load", S.left - 8, top + STRIP / 2 + 4, colors.soft, "right");
  const most = "max " + human(S.maxLoad);
  const x = S.left + mapWidth() + (narrow() ? -6 : 8);
  paint.textAlign = narrow() ? "right" : "left";
  paint.strokeStyle = colors.paper; paint.lineWidth = 3; // over the curve
  if (narrow()) paint.strokeText(most, x, top + 14);
  text(most, x, top + 14, colors.accent, paint.textAlign);
}
function drawPointer() {
  if (!pointer || pointer.x < S.left || pointer.x > S.left + mapWidth()) return;
  const time = timeAt(pointer.x), x = Math.round(pointer.x) + .5;
  paint.strokeStyle = colors.soft; paint.lineWidth = 1; paint.globalAlpha = .5;
  paint.beginPath(); paint.moveTo(x, S.top); paint.lineTo(x, S.bottom - FOOT);
  paint.stroke(); paint.globalAlpha = 1;
  const op = opAt(time);
  const label = `time ${grouped(Math.floor(time))}${op ? " (" + op + ")" : ""}: ` +
      `${human(loadAt(time))} live`;
  paint.font = "11px system-ui, sans-serif";
  const y = S.bottom - FOOT - STRIP + 12, extent = paint.measureText(label).width;
  const flip = pointer.x > S.left + mapWidth() - extent - 12;
  paint.fillStyle = colors.paper; // else the curve strikes it through
  paint.fillRect(pointer.x + (flip ? -9 - extent : 3), y - 10, extent + 6, 14);
  text(label, pointer.x + (flip ? -6 : 6), y, colors.ink,
       flip ? "right" : "left");
}
function clipped(top, clipHeight, draw) {
  paint.save(); paint.beginPath();
  paint.rect(S.left, top, mapWidth(), clipHeight); paint.clip();
  draw(); paint.restore();
}
function drawNow() {
  paint.fillStyle = colors.paper; paint.fillRect(0, 0, width, height);
  for (S of shown) {
    drawAxes();
    if (S.data.planned)
      clipped(S.top, mapHeight(), () => { drawReserved(); drawBoxes(); drawMarkLines(); drawMoves(); drawChosen(); edits.paint?.(); });
    if (S.data.planned)
      clipped(S.top + mapHeight(), TICK, drawMarkTicks);
    drawLevels();
    clipped(S.bottom - FOOT - STRIP - 1, STRIP + 2, drawCurve);
    drawCurveLabels();
    drawPointer();
  }
  S = shown[0];
}
let scheduled = false;
function draw() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; drawNow(); });
}

// ---- The side panel --------------------------------------------------------
// The nearest buffers under and over one, among those live with it.
function findNear(chosen) {
  const below = new Map(), above = new Map();
  for (let mine = S.begin[chosen]; mine < S.begin[chosen + 1]; ++mine) {
    const a = 4 * mine, low = S.offset[chosen] + S.pieces[a + 2];
    const high = S.offset[chosen] + S.pieces[a + 3];
    for (let p = 0; p < S.owner.length; ++p) {
      const i = S.owner[p], b = 4 * p;
      if (i === chosen || S.data.pool[i] !== S.data.pool[chosen] ||
          S.pieces[b + 1] <= S.pieces[a] || S.pieces[b] >= S.pieces[a + 1]) continue;
      const under = low - (S.offset[i] + S.pieces[b + 3]);
      const over = S.offset[i] + S.pieces[b + 2] - high;
      if (under >= 0) below.set(i, Math.min(under, below.get(i) ?? Infinity));
      if (over >= 0) above.set(i, Math.min(over, above.get(i) ?? Infinity));
    }
  }
  const nearest = map => [...map].map(([index, gap]) => ({index, gap}))
      .sort((x, y) => x.gap - y.gap || x.index - y.index).slice(0, 6);
  return {below: nearest(below), above: nearest(above)};
}
function pairs(...rows) {
  return element("dl", {}, ...rows.flatMap(
      ([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
}
function row(index, note) {
  const swatch = element("i", {});
  swatch.style.background = fillOf(index);
  return element("button", {type: "button", className: "row",
                            onclick: () => choose(index)},
                 swatch, element("span", {}, name(index)), element("em", {}, note));
}
function nearList(title, list) {
  if (list.length === 0) return [];
  return [element("h3", {}, title), ...list.map(({index, gap}) =>
      row(index, gap ? "gap " + human(gap) : "touches"))];
}
function lifeText(i) {
  const parts = [];
  for (let p = S.begin[i]; p < S.begin[i + 1]; ++p) {
    const last = parts[parts.length - 1];
    if (last && last[1] === S.data.pieces[4 * p]) last[1] = S.data.pieces[4 * p + 1];
    else parts.push([S.data.pieces[4 * p], S.data.pieces[4 * p + 1]]);
  }
  const shown = parts.slice(0, 6).map(([a, b]) => `${grouped(a)} to ${grouped(b)}`);
  return shown.join(", ") + (parts.length > 6 ? `, ... (${parts.length})` : "");
}
function showBuffer(i) {
  const rows = [["size", `${grouped(S.exact[i])} B`],
                ["lifetime", lifeText(i)]];
  if (S.data.planned) {
    const places = page.compare ? shown.map(scope => scope.exactOffset[i]) :
        [S.exactOffset[i]];
    rows.splice(1, 0, ["offset", [...new Set(places)].map(grouped).join(" \u2192 ")],
                ["top", grouped(BigInt(S.exactOffset[i]) + BigInt(S.exact[i]))]);
  }
  if (S.data.alignments[i] != 1) rows.push(["alignment", grouped(S.data.alignments[i])]);
  if (S.data.types?.[i]) rows.push(["type", S.data.types[i]]);
  if (lineOf(i)) rows.push(["allocated", sourceLink(lineOf(i))]);
  for (const [time, what, buffer] of S.data.marks ?? [])
    if (buffer === i) rows.push([what, "at " + grouped(time)]);
  const from = opAt(S.pieces[4 * S.begin[i]]);
  const to = opAt(S.pieces[4 * S.begin[i + 1] - 3] - 1);
  if (from) rows.push(["first", from]);
  if (to) rows.push(["last", to]);
  if (S.data.pools.length > 1) rows.push(["pool", S.data.pools[S.data.pool[i]].name]);
  document.getElementById("side").replaceChildren(
      element("h2", {}, name(i)), ...(edits.side?.(i) ?? []), pairs(...rows),
      ...nearList("Nearest above", near.above), ...nearList("Nearest below", near.below));
}
const liveAt = time => {
  const live = new Map();
  for (let p = 0; p < S.owner.length; ++p)
    if (S.pieces[4 * p] <= time && time < S.pieces[4 * p + 1])
      live.set(S.owner[p], S.pieces[4 * p + 3] - S.pieces[4 * p + 2]);
  return [...live].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
};
function differenceList() {
  if (!page.compare) return [];
  const [a, b] = [scopeAt(0), scopeAt(1)], all = [...differences()];
  const less = Number(a.data.peak) - Number(b.data.peak);
  const peaks = less === 0 ? "Both have a peak of " + human(a.data.peak) :
      `The peak is ${human(a.data.peak)} and ${human(b.data.peak)}: ` +
      `${human(Math.abs(less))} less in ${(less > 0 ? b : a).data.title}`;
  const places = all.length === 0 ? "every buffer has the same place" :
      `${all.length} of ${counted(a.count, "buffer")} ${all.length === 1 ? "has" : "have"} ` +
      "another place" + (all.length < a.count ? ", the rest is pale" : "");
  all.sort((x, y) => a.size[y] - a.size[x] || x - y);
  return [element("h3", {}, "Differences"),
          element("p", {className: "reason"}, `${peaks}; ${places}.`),
          ...all.slice(0, 12).map(index => row(index,
              `${grouped(a.exactOffset[index])} \u2192 ${grouped(b.exactOffset[index])}`)),
          ...(all.length > 12 ?
              [element("p", {className: "reason"}, `and ${all.length - 12} more`)] : [])];
}
// What needs more than the load, in words.
function boundInWords() {
  const {reason, from, to, buffers} = S.data.bound ?? {}, count = buffers?.length;
  const them = count === undefined ? "all buffers" : counted(count, "buffer");
  const when = to - from > 1 ? `from time ${grouped(from)} to ${grouped(to)}` :
                               `at time ${grouped(from)}`;
  return {
    buffer: "one buffer ends there",
    alignment: `${them} ${when}, with sizes rounded up to an alignment, do`,
    fixed: `${them} that must go round pins and reserved bytes do`,
    clique: `${them} all of which keep apart do, though not all are live at one time`,
    order: `${them}, one above the other, leave holes in whatever order`,
    sums: "no sum of sizes lies below",
    window: `exact search refuted less for ${them} ${when}`,
    search: "exact search refuted less",
  }[reason];
}
// Why no plan has fewer bytes, as far as that is known.
function boundReason() {
  const data = S.data;
  if (!data.planned || data.pools.length > 1 || S.count === 0) return [];
  const live = liveAt(S.fullest), op = opAt(S.fullest), bound = Number(data.lowerBound);
  const where = `time ${grouped(S.fullest)}` + (op ? ` (${op})` : "");
  const holds = live.length === 1 ? "one buffer holds" : `${live.length} buffers hold`;
  const text = [`At ${where}, ${holds} ${human(S.maxLoad)}: no plan has a lower peak.`];
  if (bound > S.maxLoad)
    text.push(`Yet ${human(bound)} are needed` +
              (boundInWords() ? `: ${boundInWords()}.` : "."));
  if (Number(data.peak) > bound) {
    const fewer = page.compare && [scopeAt(0).data, scopeAt(1).data].some(
        other => other.planned && Number(other.peak) < Number(data.peak));
    text.push(`This plan has ${human(Number(data.peak) - bound)} more; ` +
              (fewer ? "the one beside it has fewer." :
                       "whether one with fewer exists is not known."));
  }
  return [element("h3", {}, "Why not fewer bytes"),
          element("p", {className: "reason"}, text.join(" ")),
          ...live.slice(0, 8).map(([index, bytes]) => row(index, human(bytes))),
          ...(live.length > 8 ?
              [element("p", {className: "reason"}, `and ${live.length - 8} more`)] : [])];
}
function unplacedList() {
  const list = S.data.unplaced ?? [];
  if (list.length === 0) return [];
  const entry = b => [
    element("div", {}, `${b.name} : ${b.type}` + (b.line ? `, line ${b.line}` : "")),
    element("p", {className: "reason"}, b.reason + (b.advice ? "; " + b.advice : ""))];
  return [element("h3", {}, "Not placed"), ...list.slice(0, 200).flatMap(entry)];
}
// What lines, ticks and triangles stand for.
function legend() {
  const marks = S.data.marks ?? [], says = [];
  const lines = new Set(marks.filter(mark => mark.length < 3).map(mark => mark[1]));
  if (lines.size)
    says.push(`Dotted lines, or ticks under the boxes where they are many: ${
        [...lines].join(", ")} (barriers in red).`);
  if (marks.some(mark => mark.length > 2))
    says.push("A triangle up is a fill, or content that is made again, one down a " +
              "spill; ticks at the upper edge are those of boxes too small for one.");
  return says.length ? [element("p", {className: "hint"}, says.join(" "))] : [];
}
function showHelp() {
  const keys = (key, what) => [element("kbd", {}, key), what];
  const largest = Array.from(S.size.keys())
      .sort((a, b) => S.size[b] - S.size[a] || a - b)
      .slice(0, 12).map(index => row(index, human(S.size[index])));
  const help = pairs(
      keys("wheel, + -", "zoom"), keys("Shift wheel", "zoom time only"),
      keys("Alt wheel", "zoom bytes only"), keys("drag, arrows", "move"),
      keys("n p", "next, previous buffer"), keys("/", "find"),
      keys("0", "show everything"), keys("Esc", "let go"));
  help.classList.add("keys");
  document.getElementById("side").replaceChildren(
      element("p", {className: "hint"}, "Time runs to the right, bytes upwards. " +
              "Each box is a buffer. Point at one to see it, click to keep it."),
      ...legend(), ...(edits.help?.() ?? []), help, ...differenceList(), ...boundReason(), ...unplacedList(),
      ...(largest.length ? [element("h3", {}, "Largest buffers")] : []), ...largest);
}
function updateSide() {
  const chosen = pinned >= 0 ? pinned : hovered;
  near = chosen >= 0 && S.data.planned ? findNear(chosen) : {below: [], above: []};
  if (chosen >= 0) showBuffer(chosen); else showHelp();
  draw();
}
function choose(i) {
  pinned = i; setPool(S.data.pool[i]);
  const lower = S.pieces[4 * S.begin[i]], upper = S.pieces[4 * S.begin[i + 1] - 3];
  const seen = upper > view.t0 && lower < view.t1 &&
      S.offset[i] + S.size[i] > view.b0 && S.offset[i] < view.b1;
  const wide = xOf(upper) - xOf(lower) > 4 && yOf(0) - yOf(S.size[i]) > 4;
  if (!seen || !wide) {
    const t = Math.max(upper - lower, 1e-9), b = S.size[i];
    view = {t0: Math.max(S.firstTime, lower - 2 * t),
            t1: Math.min(S.lastTime, upper + 2 * t),
            b0: Math.max(0, S.offset[i] - 3 * b), b1: S.offset[i] + 4 * b};
  }
  updateSide();
}

// ---- Mouse and keys --------------------------------------------------------
function bufferAt(x, y) {
  if (!S.data.planned || x < S.left || x > S.left + mapWidth() || y < S.top ||
      y > S.top + mapHeight()) return -1;
  let found = -1;
  visiblePieces((p, px, py, w, h) => {
    if (x >= px && x < px + Math.max(w, 1) && y >= py && y < py + Math.max(h, 1))
      found = S.owner[p];
  });
  return found;
}
let drag = null;
// Puts back what is being dragged; false where nothing was.
function cancelDrag() {
  const ended = drag;
  drag = null;
  if (!ended?.moved || !ended.thing) return false;
  ended.thing.cancel();
  return true;
}
const fingers = new Map(); // where each is; two of them zoom
function pinch(id, x, y) {
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2,
            far: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y))};
  };
  const before = spread();
  fingers.set(id, {x, y});
  const after = spread(), factor = before.far / after.far;
  const t = timeAt(before.x), b = byteAt(before.y);
  zoomAt(t, b, factor, factor);
  const dt = timeAt(after.x) - t, db = byteAt(after.y) - b;
  view = {t0: view.t0 - dt, t1: view.t1 - dt, b0: view.b0 - db, b1: view.b1 - db};
}
function zoomAt(t, b, across, up) {
  view = {t0: t - (t - view.t0) * across, t1: t + (view.t1 - t) * across,
          b0: b - (b - view.b0) * up, b1: b + (view.b1 - b) * up};
}
const narrow = () => width < 600;
// Two plans side by side would be too narrow on a phone.
const stacked = () => shown.length > 1 && width < 700;
// In a comparison the one under the pointer is spoken of.
function speakOf(x, y) {
  S = shown.find(scope => stacked() ? y < scope.bottom :
                          x < scope.right + (narrow() ? 0 : 90)) ?? shown[0];
}
canvas.addEventListener("pointerdown", event => {
  fingers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
  if (fingers.size > 1) {
    cancelDrag();
    return;
  }
  drag = {x: event.offsetX, y: event.offsetY, view: {...view}, moved: false,
          thing: edits.grab?.(event.offsetX, event.offsetY)};
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", event => {
  pointer = {x: event.offsetX, y: event.offsetY};
  speakOf(pointer.x, pointer.y);
  if (fingers.size > 1 && fingers.has(event.pointerId)) {
    pinch(event.pointerId, pointer.x, pointer.y);
    draw();
    return;
  }
  if (drag) {
    const dx = pointer.x - drag.x, dy = pointer.y - drag.y;
    drag.moved = drag.moved || Math.abs(dx) + Math.abs(dy) > 4;
    const dt = dx / mapWidth() * (drag.view.t1 - drag.view.t0);
    const db = dy / mapHeight() * (drag.view.b1 - drag.view.b0);
    if (drag.moved && drag.thing) drag.thing.move(pointer.x, pointer.y);
    else if (drag.moved)
      view = {t0: drag.view.t0 - dt, t1: drag.view.t1 - dt,
              b0: drag.view.b0 + db, b1: drag.view.b1 + db};
    draw();
    return;
  }
  if (edits.hover) canvas.style.cursor = edits.hover(pointer.x, pointer.y);
  const over = bufferAt(pointer.x, pointer.y);
  if (over !== hovered) { hovered = over; if (pinned < 0) updateSide(); }
  draw();
});
canvas.addEventListener("pointercancel", event => {
  fingers.delete(event.pointerId); cancelDrag();
});
canvas.addEventListener("pointerup", event => {
  fingers.delete(event.pointerId);
  speakOf(event.offsetX, event.offsetY);
  if (drag && !drag.moved) {
    const over = bufferAt(event.offsetX, event.offsetY);
    pinned = over === pinned ? -1 : over;
    hovered = over;
    updateSide();
  }
  const thing = drag?.moved ? drag.thing : null;
  drag = null;
  thing?.drop();
});
canvas.addEventListener("pointerleave", () => {
  pointer = null; hovered = -1;
  if (pinned < 0) updateSide(); else draw();
});
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const turn = event.deltaY || event.deltaX;
  const factor = Math.exp(Math.max(-1, Math.min(1, turn / 400)));
  speakOf(event.offsetX, event.offsetY);
  const t = timeAt(event.offsetX), b = byteAt(event.offsetY);
  const inMap = event.offsetY < S.top + mapHeight();
  zoomAt(t, b, event.altKey ? 1 : factor, !event.shiftKey && inMap ? factor : 1);
  draw();
}, {passive: false});
canvas.addEventListener("dblclick", () => { fit(); draw(); });
document.getElementById("fit").addEventListener("click", () => { fit(); draw(); });
function zoomBy(factor) {
  zoomAt((view.t0 + view.t1) / 2, (view.b0 + view.b1) / 2, factor, factor);
}
function moveBy(across, up) {
  const dt = across * (view.t1 - view.t0), db = up * (view.b1 - view.b0);
  view = {t0: view.t0 + dt, t1: view.t1 + dt, b0: view.b0 + db, b1: view.b1 + db};
}
// By birth, then index.
function nextBuffer(step) {
  const birth = i => S.pieces[4 * S.begin[i]];
  const order = Array.from(S.size.keys()).sort((a, b) => birth(a) - birth(b) || a - b);
  if (order.length === 0) return;
  const at = pinned < 0 ? (step > 0 ? -1 : 0) : order.indexOf(pinned);
  choose(order[(at + step + order.length) % order.length]);
}
const actions = {
  "0": fit, "+": () => zoomBy(.8), "=": () => zoomBy(.8), "-": () => zoomBy(1.25),
  ArrowLeft: () => moveBy(-.1, 0), ArrowRight: () => moveBy(.1, 0),
  ArrowUp: () => moveBy(0, .1), ArrowDown: () => moveBy(0, -.1),
  n: () => nextBuffer(1), p: () => nextBuffer(-1),
  Escape: () => { if (!cancelDrag()) { pinned = -1; updateSide(); } }
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey ||
      /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  if (edits.key?.(event)) ;
  else if (event.key === "/") document.getElementById("find").focus();
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
  draw();
});
// A part of a name will do; Enter takes the first, which an exact name is.
const find = document.getElementById("find");
function matches(wanted) {
  const low = wanted.toLowerCase(), found = [];
  for (let i = 0; i < S.count; ++i) {
    const own = name(i);
    if (own === wanted) found.unshift(i);
    else if (own.toLowerCase().includes(low)) found.push(i);
  }
  return found;
}
find.addEventListener("input", () => {
  const wanted = find.value.trim(), found = wanted ? matches(wanted) : [];
  find.style.color = wanted && !found.length ? colors.warn : "";
  if (!wanted) { updateSide(); return; }
  document.getElementById("side").replaceChildren(
      element("h2", {}, `${found.length} of ${counted(S.count, "buffer")}`),
      ...found.slice(0, 50).map(index => row(index, human(S.size[index]))));
});
find.addEventListener("keydown", event => {
  if (event.key === "Escape") { find.value = ""; find.blur(); updateSide(); }
  if (event.key !== "Enter") return;
  const found = matches(find.value.trim());
  if (found.length) { choose(found[0]); canvas.focus(); }
});
const poolSelect = document.getElementById("pool");
poolSelect.addEventListener("change", () => setPool(Number(poolSelect.value)));
function setPool(next) {
  if (next === S.pool) return;
  for (const scope of shown) scope.pool = next;
  poolSelect.value = next; fit(); draw();
}

// ---- Start -----------------------------------------------------------------
const scopeSelect = document.getElementById("scope");
const peakOf = scope => scope.planned ? Number(scope.peak) : -1;
const savedOf = scope => scope.planned && scope.bytesBefore !== undefined ?
    Math.max(0, Number(scope.bytesBefore) - Number(scope.peak)) : 0;
// The first of those with the highest number; -1 where that is 0 or less.
const firstMost = values => {
  const most = Math.max(0, ...values);
  return most > 0 ? values.indexOf(most) : -1;
};
const isOne = page.compare || page.scopes.length < 2;
const largest = isOne ? -1 : firstMost(page.scopes.map(peakOf));
const savesMost = isOne ? -1 : firstMost(page.scopes.map(savedOf));
page.scopes.forEach((scope, k) => scopeSelect.append(element("option", {value: k},
    scope.title + (scope.planned ? ": " + human(scope.peak) : ": nothing placed") +
    (k === largest ? ", the largest" : "") +
    (k === savesMost ? ", saves most" : ""))));
scopeSelect.hidden = page.compare || page.scopes.length < 2;
scopeSelect.addEventListener("change", () => show([Number(scopeSelect.value)]));
// `kept` is {view, pinned, pool} of before, where these are to stay.
function show(numbers, kept) {
  shown = numbers.map(scopeAt);
  S = shown[0]; hovered = -1;
  pinned = kept ? kept.pinned : -1;
  for (const scope of shown) scope.pool = kept ? kept.pool : scope.pool;
  scopeSelect.value = numbers[0];
  poolSelect.replaceChildren(...S.data.pools.map((p, i) =>
      element("option", {value: i}, "pool " + p.name)));
  poolSelect.hidden = S.data.pools.length < 2;
  poolSelect.value = S.pool;
  showFigures();
  if (kept) view = kept.view; else fit();
  resize(); updateSide();
}
function resize() {
  const stage = document.getElementById("stage");
  stage.classList.toggle("pair", shown.length > 1);
  const ratio = window.devicePixelRatio || 1;
  const printing = matchMedia("print").matches; // a shape that suits a sheet
  width = printing ? 1000 : stage.clientWidth;
  height = printing ? 560 : stage.clientHeight;
  canvas.width = width * ratio; canvas.height = height * ratio;
  paint.setTransform(ratio, 0, 0, ratio, 0, 0);
  shown.forEach((scope, k) => {
    const across = stacked() ? width : width / shown.length;
    const down = stacked() ? height / shown.length : height;
    const column = stacked() ? 0 : k, row = stacked() ? k : 0;
    scope.left = column * across + (narrow() ? 62 : 84);
    scope.right = (column + 1) * across - (narrow() ? 8 : 108);
    scope.top = row * down + HEAD;
    scope.bottom = (row + 1) * down;
  });
  drawNow();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readColors(); updateSide();
});
window.addEventListener("resize", resize);
// Paper is white, whatever the screen was; the shape of the picture stays.
matchMedia("print").addEventListener("change", () => { readColors(); resize(); });
readColors();
show(page.compare ? [0, 1] : [page.chosen]);
// A link such as plan.html#conv1 opens with that buffer chosen, or with the arena
// of that name: one that is shown before others, an arena before a buffer.
function followLink() {
  let wanted = location.hash.slice(1);
  try { wanted = decodeURIComponent(wanted); } catch { /* a name with a % in it */ }
  if (!wanted) return;
  const bufferOf = scope => {
    const names = scope.ids.map((id, i) => id ?? "b" + i);
    const exact = names.indexOf(wanted); // else by its first word: "%a (line 3, buffer 0)"
    return exact >= 0 ? exact : names.findIndex(own => own.split(" (")[0] === wanted);
  };
  const now = page.scopes.indexOf(S.data);
  if (now < 0) return; // the playground has put another in its place
  const arena = page.compare ? -1 :
      page.scopes.findIndex(scope => scope.title === wanted);
  if (arena >= 0) { show([arena]); return; }
  const order = page.compare ? [now] :
      [now, ...page.scopes.keys()].filter((k, i) => i === 0 || k !== now);
  const found = order.find(k => bufferOf(page.scopes[k]) >= 0);
  if (found === undefined) return;
  if (found !== now) show([found]);
  choose(bufferOf(page.scopes[found]));
}
followLink();
window.addEventListener("hashchange", followLink);
