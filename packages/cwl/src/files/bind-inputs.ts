/**
 * Turns an input object into the one that expressions and command lines use: applies defaults, looks up and describes Files
 * and Directories, loads contents and listings, finds secondary files, and checks formats. Works in two passes: expressions
 * of the second pass (secondary files, formats) see all inputs as the first pass left them.
 */
import { CwlFailure, type CwlFailureCode } from "../cwl-failure.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { InputParameter, Process } from "../model/process.ts";
import { neverGiveWay, type GiveWay } from "../give-way.ts";
import type { IsSubformat } from "../check/check-format.ts";
import { checkInputs } from "./check-value.ts";
import { attachSecondaryFiles } from "./attach-secondary-files.ts";
import type { FileAccess } from "./file-access.ts";
import { loadForExpressions } from "./load-for-expressions.ts";
import { pointerTo, shownPointer, type InputProblem } from "../values/input-problem.ts";
import { ProblemList } from "../values/problem-list.ts";
import { mapFiles, type FileVisitor } from "../check/map-files.ts";
import { settleDoubles } from "../check/settle-doubles.ts";
import { fieldOf } from "../values/value-kind.ts";

export interface BindOptions {
  readonly process: Pick<Process, "inputs" | "cwlVersion">;
  readonly values: CwlObject;
  readonly files: FileAccess;
  readonly evaluator: Evaluator;
  readonly requirements: RequirementSet;
  /** False if secondary files must be passed along with values, as between steps; does not apply to defaults. Default: true. */
  readonly discoverSecondaryFiles?: boolean;
  /** `$namespaces` of the document, for formats of input Files written with a prefix. */
  readonly namespaces?: ReadonlyMap<string, string>;
  /** Compares formats by an ontology. Default: formats must be equal. */
  readonly isSubformat?: IsSubformat;
  /** Yields to other work between slices of a large value. Default: never. */
  readonly giveWay?: GiveWay;
}

export interface BoundInputs {
  /** Exactly the process's inputs; a best-effort object if there are problems. */
  readonly inputs: CwlObject;
  readonly problems: readonly InputProblem[];
}

/** Binds values to a process's inputs. Rejects with INPUT_INVALID, STAGE_IN, EXPRESSION or LIMIT_EXCEEDED for the first error. */
export async function bindInputs(options: BindOptions): Promise<CwlObject> {
  const { inputs, problems } = await inspectInputs(options);
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return inputs;
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  const pointer = shownPointer(first.pointer);
  throw new CwlFailure(failureCode(first, options), `input ${pointer}: ${first.message}${more}`, {
    place: `inputs${pointer.replaceAll("/", ".")}`,
    ...(first.hint === undefined ? {} : { hint: first.hint }),
  });
}

function failureCode({ code }: InputProblem, { discoverSecondaryFiles }: BindOptions): CwlFailureCode {
  switch (code) {
    case "missing-file":
      return "STAGE_IN";
    case "missing-secondary-file":
      // A file that no link supplies is an error of the network, not of the disk.
      return discoverSecondaryFiles === false ? "INPUT_INVALID" : "STAGE_IN";
    case "expression":
      return "EXPRESSION";
    case "limit-exceeded":
      return "LIMIT_EXCEEDED";
    default:
      return "INPUT_INVALID";
  }
}

/** Binds values that a person entered. Returns the first 1,000 problems, each with a JSON pointer, instead of rejecting. */
export async function inspectInputs(options: BindOptions): Promise<BoundInputs> {
  const { process, values } = options;
  const found = new ProblemList();
  found.addAll(checkInputs(process, values));
  const initial = Object.fromEntries(process.inputs.map((input) => [input.id, valueOf(input, values)]));
  if (found.isFull) return { inputs: initial, problems: found.problems };
  const broken = new Set(
    found.problems.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer.split("/", 2)[1]),
  );
  const sound = process.inputs.filter(({ id }) => !broken.has(pointerTo("", id).slice(1)));
  const report = (problem: InputProblem) => found.add(problem);
  const faulty = new Set<string>();
  const load = loadForExpressions({ ...options, report, faulty });
  const { giveWay = neverGiveWay } = options;
  const described = await mapInputs(initial, sound, () => load, giveWay);
  const attach = ({ id }: InputParameter) => {
    const discoverSecondaryFiles = options.discoverSecondaryFiles !== false || !isGiven(id, values);
    return attachSecondaryFiles({ ...options, inputs: described, discoverSecondaryFiles, report, faulty });
  };
  const inputs = await mapInputs(described, sound, attach, giveWay);
  return { inputs, problems: found.problems };
}

/** The value of an input, or its default if the value is missing or null. CWL v1.2 CommandLineTool.html#CommandInputParameter, `default`. */
function valueOf(input: InputParameter, values: CwlObject): CwlValue {
  return settleDoubles(input.type, fieldOf(values, input.id) ?? input.default ?? null);
}

function isGiven(name: string, values: CwlObject): boolean {
  return (fieldOf(values, name) ?? null) !== null;
}

async function mapInputs(
  values: CwlObject,
  inputs: readonly InputParameter[],
  visitorFor: (input: InputParameter) => FileVisitor,
  giveWay: GiveWay,
): Promise<CwlObject> {
  const mapped = new Map(Object.entries(values));
  for (const input of inputs) {
    const { id, type } = input;
    const typed = { value: mapped.get(id) ?? null, type, rule: input, pointer: pointerTo("", id) };
    mapped.set(id, await mapFiles(typed, visitorFor(input), giveWay));
  }
  return Object.fromEntries(mapped);
}
