import type { ProgramEnd, RunProgram } from "../executor/run-program.ts";

/** A program that answers by its arguments, and records its calls. */
export interface ScriptedProgram {
  readonly run: RunProgram;
  /** Every call as one line. */
  readonly calls: string[];
}

type Answer = Partial<ProgramEnd>;

/**
 * `answers`: beginnings of calls, such as `podman image inspect`, each with its results in order; the last result
 * repeats.
 */
export function scriptedProgram(answers: Readonly<Record<string, readonly Answer[]>>): ScriptedProgram {
  const calls: string[] = [];
  const used = new Map<string, number>();
  const run: RunProgram = async (program, args) => {
    const call = [program, ...args].join(" ");
    calls.push(call);
    const beginning = Object.keys(answers).find((key) => call.startsWith(key));
    if (beginning === undefined) return { code: null, stdout: "", stderr: `spawn ${program} ENOENT` };
    const count = used.get(beginning) ?? 0;
    used.set(beginning, count + 1);
    const list = answers[beginning] ?? [];
    return { code: 0, stdout: "", stderr: "", ...(list[count] ?? list.at(-1)) };
  };
  return { run, calls };
}
