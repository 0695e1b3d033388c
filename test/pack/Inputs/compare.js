// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const said = document.getElementById("side").innerText.replace(/\n+/g, ", ");
document.body.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = said;
