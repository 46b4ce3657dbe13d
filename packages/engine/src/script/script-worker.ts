import { parentPort } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { newQuickJSWASMModuleFromVariant, shouldInterruptAfterDeadline } from "quickjs-emscripten-core";
import type { QuickJSContext, QuickJSSyncVariant, QuickJSWASMModule } from "quickjs-emscripten-core";

const MEMORY_BYTES = 64 << 20;
const STACK_BYTES = 1 << 20;

export interface ScriptQuestion {
  readonly id: number;
  readonly timeoutMs: number;
  readonly request: ScriptRequest;
}
/** `json` is the result as JSON text. */
export type ScriptAnswer =
  | { readonly id: number; readonly json: string }
  | { readonly id: number; readonly message: string };

// The package is CommonJS with types written for ES modules: at run time the default import is the variant itself.
const loading = newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);

parentPort?.on("message", (question: ScriptQuestion) => {
  void loading.then((module) => parentPort?.postMessage(answerFor(module, question)));
});

/** A runtime of its own for every question: nothing is shared between evaluations, and there is no host object to reach. */
function answerFor(module: QuickJSWASMModule, question: ScriptQuestion): ScriptAnswer {
  const runtime = module.newRuntime();
  runtime.setMemoryLimit(MEMORY_BYTES);
  runtime.setMaxStackSize(STACK_BYTES);
  const deadline = Date.now() + question.timeoutMs;
  runtime.setInterruptHandler(shouldInterruptAfterDeadline(deadline));
  const context = runtime.newContext();
  try {
    return { id: question.id, json: evaluate(context, question.request) };
  } catch (error) {
    const late = Date.now() >= deadline;
    return { id: question.id, message: late ? `did not end within ${question.timeoutMs / 1000} s` : messageOf(error) };
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

function evaluate(context: QuickJSContext, request: ScriptRequest): string {
  for (const [name, value] of Object.entries(request.variables)) {
    context
      .newString(JSON.stringify(value ?? null))
      .consume((text) => context.setProp(context.global, "weftValue", text));
    run(context, `globalThis[${JSON.stringify(name)}] = JSON.parse(weftValue); delete globalThis.weftValue; undefined`);
  }
  for (const text of request.library) run(context, text);
  // The line break keeps a comment at the end of the code from swallowing what follows.
  const body =
    request.form === "body"
      ? `(function(){"use strict";${request.code}\n})()`
      : `(function(){"use strict";return (${request.code}\n)})()`;
  return run(context, `(function(value){return value === undefined ? "null" : JSON.stringify(value)})(${body})`);
}

/** Evaluates and answers the result as a string; throws what the script threw. */
function run(context: QuickJSContext, code: string): string {
  const result = context.evalCode(code, "expression.js");
  if (result.error !== undefined) {
    const thrown: unknown = context.dump(result.error);
    result.error.dispose();
    throw new ScriptThrew(thrown);
  }
  return result.value.consume((value) => {
    if (context.typeof(value) === "undefined") return "null";
    return context.getString(value);
  });
}

class ScriptThrew extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super("the script threw");
    this.thrown = thrown;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof ScriptThrew)) return String(error);
  const { thrown } = error;
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { name, message } = thrown as { readonly name?: unknown; readonly message?: unknown }; // whatever was thrown
  return message === undefined ? JSON.stringify(thrown) : `${String(name ?? "Error")}: ${String(message)}`;
}
