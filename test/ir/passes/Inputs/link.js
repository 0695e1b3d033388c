// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";
const said = ["arenas: " + [...scopeSelect.options].map(option => option.text).join(" | ")];
const say = what => said.push(
    `${what}: ${S.data.title}, ${pinned < 0 ? "none" : name(pinned).split(" (")[0]}`);
say("start");
for (const link of ["#main", "#%alloc", "#%alloc_1", "#%25alloc", "#nothing"]) {
  history.replaceState(null, "", link);
  followLink();
  say(link);
}
document.body.replaceChildren(
    Object.assign(document.createElement("pre"), {textContent: said.join("\n")}));
