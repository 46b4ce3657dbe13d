import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSSyncVariant } from "quickjs-emscripten-core";
import type { ScriptEngine, ScriptRequest } from "../script-engine.ts";

// The package is CommonJS with types written for ES modules: at run time the default import is the variant itself.
const loading = newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);

/** A ScriptEngine for tests: QuickJS in this thread, without limits. Records its calls. */
export function createQuickjsEngine(): ScriptEngine & { readonly requests: readonly ScriptRequest[] } {
  const requests: ScriptRequest[] = [];
  return {
    requests,
    async run(request) {
      requests.push(request);
      const context = (await loading).newContext();
      try {
        return evaluate(context, request);
      } finally {
        context.dispose();
      }
    },
  };
}

function evaluate(context: QuickJSContext, { form, code, library, variables }: ScriptRequest): unknown {
  for (const [name, value] of Object.entries(variables))
    run(context, `globalThis.${name} = ${JSON.stringify(value)}; ""`);
  for (const text of library) run(context, `${text}\n;""`);
  const body = form === "body" ? code : `return (${code}\n)`;
  return JSON.parse(
    run(
      context,
      `(function(v){var t = JSON.stringify(v); if (t === undefined) throw new TypeError("the expression gave " + typeof v); return t})((function(){"use strict";${body}\n})())`,
    ),
  );
}

function run(context: QuickJSContext, code: string): string {
  const result = context.evalCode(code);
  if (result.error === undefined) return result.value.consume((value) => context.getString(value));
  const thrown: unknown = result.error.consume((error) => context.dump(error));
  throw new Error(thrown instanceof Object && "message" in thrown ? String(thrown.message) : JSON.stringify(thrown));
}

/** A ScriptEngine that fails, for tests that must not run JavaScript. */
export const NO_SCRIPTS: ScriptEngine = {
  run: ({ code }) => Promise.reject(new Error(`JavaScript was started for: ${code}`)),
};
