import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { ScriptRequest } from "@weft/cwl/expression/script-engine.ts";
import { MAX_RESULT_MIB, MAX_RESULT_NESTING } from "./guest-setup.ts";
import type { ScriptResult } from "./script-machine.ts";

const SHOWN_CHARS = 60;
const MAX_WORDS_CHARS = 500;

/** Limits of one script. */
export interface ScriptBounds {
  /** Includes its library. */
  readonly timeoutMs: number;
  /** Includes the interpreter, its library and its variables. */
  readonly memoryBytes: number;
}

type Fault = Exclude<ScriptResult, { kind: "value" }>;

/** The failure of a script, as one sentence with its first line. The caller adds the field of the document. */
export function scriptFailure(fault: Fault, script: ScriptRequest, bounds: ScriptBounds): CwlFailure {
  const { timeoutMs, memoryBytes } = bounds;
  const shown = `the expression \`${firstLine(script)}\``;
  switch (fault.kind) {
    case "threw":
      return new CwlFailure("EXPRESSION", `${shown} failed: ${shortened(fault.words, MAX_WORDS_CHARS)}`);
    case "late":
      return new CwlFailure("EXPRESSION", `${shown} did not finish within ${timeoutMs / 1000} s`, {
        hint: "look for an endless loop, or allow more time with --eval-timeout",
      });
    case "out-of-memory":
      return new CwlFailure(
        "EXPRESSION",
        `${shown} needs more than ${Math.round(memoryBytes / (1 << 20))} MiB of memory`,
        {
          hint: "process large values in a tool instead of an expression, or raise --limit expression-memory-bytes=N",
        },
      );
    case "too-large":
      return new CwlFailure("EXPRESSION", `the result of ${shown} is larger than ${MAX_RESULT_MIB} MiB`, {
        hint: "expressions are for small values: let a tool write large ones to a file",
      });
    case "too-deep":
      return new CwlFailure("EXPRESSION", `the result of ${shown} is nested deeper than ${MAX_RESULT_NESTING} levels`);
  }
}

function firstLine({ form, code }: ScriptRequest): string {
  const [first = "", ...more] = code.trim().split("\n");
  const line = shortened(first, SHOWN_CHARS) + (more.length === 0 || first.length > SHOWN_CHARS ? "" : "…");
  return form === "body" ? `\${${line}}` : `$(${line})`;
}

function shortened(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text;
}
