// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";
// The packing core, as Core.c shows it. Runs in the page and in its worker.
class Core {
  // `module` is a WebAssembly.Module; `progress(peak, bound, steps)` is told now
  // and then while a packer works.
  static async create(module, progress = () => {}) {
    const core = new Core();
    const system = {
      clock_time_get: (id, precision, at) => {
        const now = BigInt(Math.round(performance.now() * 1e6));
        new DataView(core.wasm.memory.buffer).setBigUint64(at, now, true);
        return 0;
      },
      proc_exit: code => { throw new Error(`the core gave up (${code})`); }
    };
    const imports = {page: {progress}, wasi_snapshot_preview1: {}};
    for (const {module: from, name} of WebAssembly.Module.imports(module))
      if (from !== "page") // 8: no such file, for there are none
        imports[from][name] = system[name] ?? (() => 8);
    core.wasm = (await WebAssembly.instantiate(module, imports)).exports;
    core.wasm._initialize();
    return core;
  }
  // Gives the core a text, or the bytes of one, and returns its length in bytes.
  give(text) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const room = this.wasm.playgroundRoom(bytes.length);
    if (!room) throw new Error("out of memory");
    new Uint8Array(this.wasm.memory.buffer, room, bytes.length).set(bytes);
    return bytes.length;
  }
  text() {
    return new TextDecoder().decode(new Uint8Array(this.wasm.memory.buffer,
        this.wasm.playgroundText(), this.wasm.playgroundLength()));
  }
  // The answer of a call; throws what went wrong.
  answer(status) {
    const text = this.text();
    if (status !== 0) throw new Error(text);
    return text;
  }
  open(text) { this.answer(this.wasm.playgroundOpen(this.give(text))); }
  takePlan(json) { this.answer(this.wasm.playgroundTakePlan(this.give(json))); }
  generate(family, count, seed) {
    this.give(family);
    return this.answer(this.wasm.playgroundGenerate(count, BigInt.asIntN(64, seed)));
  }
  pack({packer, steps, seed, minimize, capacity}) {
    if (capacity !== undefined) this.capacity = capacity;
    this.give(packer);
    this.answer(this.wasm.playgroundPack(BigInt.asIntN(64, BigInt(steps)), BigInt(seed), minimize));
  }
  // As text: bytes such as "4096" or "64K", "" for none.
  get capacity() {
    const bytes = this.wasm.playgroundCapacity();
    return bytes > 0 ? String(bytes) : "";
  }
  set capacity(text) {
    this.give(text);
    this.answer(this.wasm.playgroundSetCapacity());
  }
  change(index, field, value) {
    return this.answer(this.wasm.playgroundChange(index, field, BigInt(value)));
  }
  get offsets() {
    return new BigInt64Array(this.wasm.memory.buffer,
                             this.wasm.playgroundOffsets());
  }
  // What the verifier says of the plan, or "".
  judge(keepsBound) { return this.wasm.playgroundJudge(keepsBound) ? this.text() : ""; }
  verify() { return this.wasm.playgroundVerify() ? this.text() : ""; }
  hits(index) { return JSON.parse(this.answer(this.wasm.playgroundHits(index))); }
  write(format, title = "") {
    this.give(title);
    return this.answer(this.wasm.playgroundWrite(
        {csv: 1, json: 2, svg: 3, html: 4}[format]));
  }
  scope(title) {
    this.give(title);
    return JSON.parse(this.answer(this.wasm.playgroundScope()));
  }
  catalogue() { return JSON.parse(this.answer(this.wasm.playgroundCatalogue())); }
}
