import { createHash } from "node:crypto";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
  type VmCallResult,
} from "quickjs-emscripten-core";
import { GUEST_SETUP, MAX_RESULT_NESTING } from "./guest-setup.ts";
import { Recent } from "../async/recent.ts";
import { MemoryImages, type MemoryImage } from "./memory-images.ts";
import { nestingOf } from "./nesting-of.ts";

const STACK_BYTES = 1 << 20;
/** The memory of an instance never shrinks: one that grew beyond this is discarded. */
const MAX_INSTANCE_BYTES = 48 << 20;
/** Variables of at least this size get their own image. */
const LARGE_JSON_CHARS = 16 * 1024;

/** A script with its variables as JSON texts. */
export interface ScriptCall extends Pick<ScriptRequest, "form" | "code" | "library"> {
  readonly variables: readonly Variable[];
  readonly timeoutMs: number;
}

type Variable = readonly [name: string, json: string];

/** `json`: the result as JSON text. `words`: what was thrown, or why the result is not JSON. */
export type ScriptResult =
  | { readonly kind: "value"; readonly json: string }
  | { readonly kind: "threw"; readonly words: string }
  | { readonly kind: "late" | "out-of-memory" | "too-large" | "too-deep" };

/**
 * A JavaScript interpreter (QuickJS as WebAssembly) without any host object. Before each script, its memory is restored
 * to the state before the last one: nothing that a script does to globals, prototypes or its inputs is visible to the
 * next. Still, libraries and large inputs are read only once for all scripts that share them. The memory has a maximum
 * that no script can exceed; the interpreter's own limit does not count the sizes of its allocations.
 */
export class ScriptMachine {
  readonly #context: QuickJSContext;
  readonly #memory: BoundedMemory;
  readonly #images: MemoryImages;
  readonly #base: MemoryImage;
  /** Images by their prepared content. */
  readonly #kept = new Recent<MemoryImage>(KEPT_BYTES, ({ sizeBytes }) => sizeBytes);
  readonly #guest: Readonly<Record<"define" | "serialize" | "describe", QuickJSHandle>>;
  #deadlineMs = Infinity;
  #isBroken = false;

  /**
   * `memoryBytes`: the memory for the interpreter and its script together, but at least as much as the interpreter
   * itself needs.
   */
  static async load(memoryBytes: number): Promise<ScriptMachine> {
    const memory = new BoundedMemory(memoryBytes);
    // The package is CommonJS with types written for ES modules: at run time the default import is the variant itself.
    const bounded = newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory: memory });
    return new ScriptMachine(await newQuickJSWASMModuleFromVariant(bounded), memory);
  }

  private constructor(module: QuickJSWASMModule, memory: BoundedMemory) {
    this.#memory = memory;
    this.#images = new MemoryImages(memory);
    const runtime = module.newRuntime();
    runtime.setMemoryLimit(memory.maxBytes);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => performance.now() > this.#deadlineMs);
    const context = runtime.newContext();
    const setup = context.unwrapResult(context.evalCode(GUEST_SETUP));
    const part = (name: string) => context.getProp(setup, name);
    this.#guest = { define: part("define"), serialize: part("serialize"), describe: part("describe") };
    // The binding creates this handle on first use: it must be part of every image.
    void context.undefined;
    this.#context = context;
    this.#base = this.#images.take();
  }

  /** True: this machine must not be used again, because its memory grew too large or it was damaged. */
  get isSpent(): boolean {
    return this.#isBroken || this.#memory.buffer.byteLength > MAX_INSTANCE_BYTES;
  }

  evaluate(call: ScriptCall): ScriptResult {
    this.#deadlineMs = performance.now() + call.timeoutMs;
    this.#memory.isExhausted = false;
    try {
      this.#prepare(call);
      const json = this.#text(this.#call(this.#guest.serialize, this.#run(wrapped(call))));
      if (json === "") return { kind: "too-large" };
      return nestingOf(json) > MAX_RESULT_NESTING ? { kind: "too-deep" } : { kind: "value", json };
    } catch (error) {
      return this.#fault(error);
    }
  }

  /** Loads the library and the variables, starting from the image that contains most of them. */
  #prepare({ library, variables }: ScriptCall): void {
    const large = variables.filter(([, json]) => json.length >= LARGE_JSON_CHARS);
    const small = variables.filter(([, json]) => json.length < LARGE_JSON_CHARS);
    const key = JSON.stringify(library);
    const toBase = () => this.#images.restore(this.#base);
    const toLibrary = library.length === 0 ? toBase : () => this.#moveTo(key, toBase, () => this.#load(library));
    if (large.length === 0) toLibrary();
    else this.#moveTo(digestOf(key, large), toLibrary, () => this.#define(large));
    this.#define(small);
  }

  /** Restores the image with this name; the first time, creates it from the previous one. */
  #moveTo(name: string, before: () => void, prepare: () => void): void {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return this.#images.restore(kept);
    before();
    prepare();
    if (this.#images.sizeBytes <= KEPT_BYTES) this.#kept.set(name, this.#images.take());
  }

  #load(library: readonly string[]): void {
    for (const [index, text] of library.entries()) this.#run(text, `in expressionLib[${index}]: `);
  }

  #define(variables: readonly Variable[]): void {
    const text = (content: string) => this.#context.newString(content);
    for (const [name, json] of variables) this.#call(this.#guest.define, text(name), text(json));
  }

  // Handles are not released one by one: the next script's image does not contain them.

  #run(code: string, where = ""): QuickJSHandle {
    return valueOf(this.#context.evalCode(code, "expression.js"), where);
  }

  #call(callee: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle {
    return valueOf(this.#context.callFunction(callee, this.#context.undefined, ...args));
  }

  #text(handle: QuickJSHandle): string {
    return this.#context.getString(handle);
  }

  /** The result for an error: after a failed allocation, any error counts as a lack of memory. */
  #fault(error: unknown): ScriptResult {
    const fault = this.#describe(error);
    return fault.kind === "threw" && this.#memory.isExhausted ? { kind: "out-of-memory" } : fault;
  }

  #describe(error: unknown): ScriptResult {
    if (!(error instanceof GuestThrew)) return this.#harm(error);
    try {
      const words = error.where + this.#text(this.#call(this.#guest.describe, error.thrown));
      if (performance.now() > this.#deadlineMs) return { kind: "late" };
      return words.endsWith("InternalError: out of memory") ? { kind: "out-of-memory" } : { kind: "threw", words };
    } catch (again) {
      if (!(again instanceof GuestThrew)) return this.#harm(again);
      // The error could not be described, for lack of time or memory.
      return { kind: performance.now() > this.#deadlineMs ? "late" : "out-of-memory" };
    }
  }

  /** The interpreter itself failed, for example because a script nests deeper than the thread's stack. */
  #harm(error: unknown): ScriptResult {
    this.#isBroken = true;
    return { kind: "threw", words: error instanceof RangeError ? "stack overflow" : String(error) };
  }
}

class GuestThrew extends Error {
  readonly thrown: QuickJSHandle;
  readonly where: string;

  constructor(thrown: QuickJSHandle, where: string) {
    super("the script threw");
    this.thrown = thrown;
    this.where = where;
  }
}

function valueOf(result: VmCallResult<QuickJSHandle>, where = ""): QuickJSHandle {
  if (result.error !== undefined) throw new GuestThrew(result.error, where);
  return result.value;
}

/** A short key for a library and large variables, which are too long to be a key. */
function digestOf(library: string, large: readonly Variable[]): string {
  const hash = createHash("sha256").update(
    JSON.stringify([library, ...large.map(([name, { length }]) => [name, length])]),
  );
  for (const [, json] of large) hash.update(json);
  return hash.digest("hex");
}

/** The line break prevents a comment at the end of the code from commenting out what follows. */
function wrapped({ form, code }: ScriptCall): string {
  return form === "body" ? `(function(){"use strict";${code}\n})()` : `(function(){"use strict";return (${code}\n)})()`;
}

const PAGE_BYTES = 64 * 1024;
/** Initial memory that the compiled interpreter requires. */
const MIN_PAGES = 256;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
type WasmMemoryClass = new (pages: { readonly initial: number; readonly maximum: number }) => WasmMemory;

// Node has WebAssembly; TypeScript declares it only for browsers.
const { Memory } = (globalThis as unknown as { WebAssembly: { readonly Memory: WasmMemoryClass } }).WebAssembly;

/** The memory of one interpreter. It has a maximum, and remembers whether the last attempt to grow failed. */
class BoundedMemory extends Memory {
  readonly maxBytes: number;
  isExhausted = false;

  constructor(maxBytes: number) {
    const maximum = Math.max(MIN_PAGES, Math.floor(maxBytes / PAGE_BYTES));
    super({ initial: MIN_PAGES, maximum });
    this.maxBytes = maximum * PAGE_BYTES;
  }

  /** The interpreter first requests a lot, and less if that fails. */
  override grow(pages: number): number {
    this.isExhausted = true;
    const before = super.grow(pages);
    this.isExhausted = false;
    return before;
  }
}

/** Total size of all images of one interpreter. */
const KEPT_BYTES = 16 << 20;
