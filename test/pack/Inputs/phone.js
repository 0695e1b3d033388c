// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which plan stands where, and which the pointer speaks of.
const lines = shown.map(s => `${s.data.title}: from ${s.left < width / 2 ? "left" : "middle"} ` +
    `and ${s.top < height / 2 ? "top" : "middle"}, ` +
    (s.right - s.left > width / 2 ? "wide" : "narrow"));
for (const part of [.2, .7]) {
  canvas.dispatchEvent(new PointerEvent("pointermove",
      {clientX: canvas.getBoundingClientRect().x + width / 2 - 20,
       clientY: canvas.getBoundingClientRect().y + height * part}));
  lines.push("pointer: " + S.data.title);
}
lines.push("as high: " + (Math.abs(shown[0].bottom - shown[0].top -
                                   (shown[1].bottom - shown[1].top)) < 1));
document.body.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = lines.join("\n");
