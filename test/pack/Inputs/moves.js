// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const said = [];
function count(where) {
  const {moves, ticks} = seenMoves();
  const sum = ticks.reduce((all, tick) => all + tick.count, 0);
  said.push(`${where}: ${moves.length} triangles, ticks of ${sum} moves`);
  return ticks;
}
const [first] = count("all");
said.push("first: " + markText(first));
view = {...view, t0: 0, t1: 60};
drawNow();
count("near");
document.body.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = said.join("\n");
