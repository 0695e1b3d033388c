// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const said = [document.getElementById("figures").textContent,
              document.getElementById("side").textContent, `${poolPeak()} ${S.maxLoad}`];
document.body.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = said.join("\n");
