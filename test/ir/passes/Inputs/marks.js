// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const said = [];
const kind = () => areTicks(markGroups()) ? "ticks" : "lines";
const all = S.data.marks;
const sum = markGroups().reduce((all, group) => all + group.count, 0);
said.push(`all: ${kind()}, ${sum} marks, ` +
          (markGroups().length < sum ? "some as one" : "each for itself"));
pointer = {x: markGroups()[7].x + 1, y: 200};
said.push("under the pointer: " + markText(markNear()));
const [time] = S.data.marks[0];
S.data.marks = [[time, "barrier"], [time, "new barrier"], [time, "barrier"]];
said.push("counted by kind: " + markText(markGroups()[0]));
said.push("legend: " + legend()[0].textContent);
S.data.marks = all;
pointer = null;
zoomBy(.02);
drawNow();
said.push(`near: ${kind()}, ` +
          (markGroups().every(group => group.count === 1) ? "each for itself" : "some as one"));
document.body.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = said.join("\n");
