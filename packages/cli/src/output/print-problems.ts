import type { loadInputObject } from "@weft/cwl/document/load-input-object.ts";
import { locateProblem } from "@weft/cwl/document/yaml/locate-pointer.ts";
import { shownPointer, type InputProblem } from "@weft/cwl/values/input-problem.ts";
import type { WrongDocument } from "@weft/engine/document/check-document.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { EXIT } from "../exit/exit.ts";

/** The text of an input object; `uri` is undefined if there is no file. */
export interface Inputs {
  readonly loaded: Awaited<ReturnType<typeof loadInputObject>>;
  readonly uri: string | undefined;
}

/** `isQuiet`: print errors only. */
export interface PrintOptions {
  readonly io: Pick<CommandIo, "stderr" | "cwd">;
  readonly isQuiet: boolean;
}

/** Unknown inputs are ignored, as in other CWL runners; a server refuses such a request. */
export function printProblems(problems: readonly InputProblem[], inputs: Inputs, { io, isQuiet }: PrintOptions): void {
  for (const problem of problems) {
    const consequence = problem.code === "unknown-input" ? "; it is ignored" : "";
    const message = problem.message + consequence;
    if (!isQuiet || problem.severity === "error") writeLine(io, problemText({ ...problem, message }, inputs, io.cwd));
  }
}

/** Prints why the document cannot run, and returns the exit code. */
export function reportWrong(result: WrongDocument, io: Pick<CommandIo, "stderr">): number {
  if (result.kind === "wrong-inputs") return EXIT.failure;
  writeLine(io, `weft: ${result.message}`);
  writeLine(io, `  hint: ${result.hint}`);
  return EXIT.unsupported;
}

/** A problem of the inputs at its position in their file, if there is one. */
function problemText(problem: InputProblem, { uri, loaded }: Inputs, cwd: string): string {
  const source = loaded.sources.find((candidate) => candidate.uri === uri);
  const located = source === undefined ? undefined : locateProblem(source.text, problem);
  if (source === undefined || located === undefined)
    return `weft: ${problem.severity}: input ${shownPointer(problem.pointer)}: ${problem.message}`;
  const { pointer: _, ...diagnostic } = located;
  return diagnosticText({ ...diagnostic, file: source.uri }, loaded.sources, cwd);
}
