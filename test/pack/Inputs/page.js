// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const said = [];
const say = what => said.push(
    `${what}: ${Object.values(view).map(x => x.toFixed(1)).join(" ")} ${pinned}`);
const press = key => {
  document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  say(key);
};
const side = () => document.getElementById("side").innerText.replace(/\n+/g, ", ");
say("start");
for (const key of ["+", "ArrowRight", "ArrowUp", "-", "0", "n", "n", "p"]) press(key);
said.push(side());
press("Escape");
said.push(canvas.getAttribute("aria-label"));
find.value = "5";
find.dispatchEvent(new Event("input"));
said.push("found: " + side());
find.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
say("Enter");
document.body.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = said.join("\n");
