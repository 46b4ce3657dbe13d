import type { CwlObject, CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { fieldOf, isArray, isDirectory, isFile, isObject, kindText } from "@weft/cwl/values/value-kind.ts";
import { compareValues, inRange, shownValue } from "./compare-expected.ts";
import { judgeContent, type OutputFiles } from "./judge-content.ts";
import type { Check, Judged, Place, Segment, ToolTest, Unmet } from "./tool-test.ts";

/** The result of a run that was started for a test. */
export interface TestOutcome {
  /** Undefined if the run failed. */
  readonly outputs: CwlObject | undefined;
  /** Exit code of the program that failed; null if none did. */
  readonly exitCode: number | null;
  /** Why the run failed; empty if it did not. */
  readonly message: string;
  /** The highest peak of a job; null if none was measured. */
  readonly maxRssBytes: number | null;
  /** The duration of the run in milliseconds. */
  readonly runningMs: number;
}

/** Every expectation of a test that a run does not meet, in the order of the test. */
export async function judgeToolTest(
  test: ToolTest,
  outcome: TestOutcome,
  files: OutputFiles,
): Promise<readonly Unmet[]> {
  const unexpected = judgeEnd(test, outcome);
  if (unexpected !== undefined) return [unexpected];
  const found: Unmet[] = [];
  for (const check of test.checks) found.push(...(await judgeCheck(check, outcome, files)));
  return found;
}

const START: Place = { file: "", line: 1, column: 1 };

function judgeEnd({ failure, checks }: ToolTest, { outputs, exitCode, message }: TestOutcome): Unmet | undefined {
  const at = failure?.at ?? checks[0]?.at ?? START;
  if (failure === undefined)
    return outputs === undefined ? { at, part: "", message: `the run failed: ${message}` } : undefined;
  if (outputs !== undefined) return { at, part: "fails", message: "the run succeeded, expected a failure" };
  if (failure.exitCode === undefined || failure.exitCode === exitCode) return undefined;
  const ended = exitCode === null ? `without an exit code (${message})` : `with exit code ${exitCode}`;
  return { at, part: "fails", message: `the run failed ${ended}, expected exit code ${failure.exitCode}` };
}

async function judgeCheck(check: Check, outcome: TestOutcome, files: OutputFiles): Promise<readonly Unmet[]> {
  const { at, expected } = check;
  switch (expected.kind) {
    case "max_memory_mib": {
      const { maxRssBytes } = outcome;
      const used = Math.ceil((maxRssBytes ?? 0) / 2 ** 20);
      return used <= expected.most
        ? []
        : [{ at, part: expected.kind, message: `a job used ${used} MiB (limit: ${expected.most})` }];
    }
    case "max_seconds": {
      const seconds = outcome.runningMs / 1000;
      return seconds <= expected.most
        ? []
        : [{ at, part: expected.kind, message: `the run took ${seconds.toFixed(1)} s (limit: ${expected.most})` }];
    }
    case "message":
      if (outcome.message.includes(expected.text)) return [];
      return [{ at, part: "message", message: `the message is ${shownValue(outcome.message)}` }];
    default:
      return judgeOutput(check, outcome.outputs ?? {}, files);
  }
}

async function judgeOutput(check: Check, outputs: CwlObject, files: OutputFiles): Promise<readonly Unmet[]> {
  const found: Unmet[] = [];
  for (const { part, value } of valuesAt(outputs, "outputs", check.path)) {
    if ("fault" in value) found.push({ at: check.at, part, message: value.fault });
    else {
      const unmet = await judgeValue(value.found, check, files);
      if (unmet !== undefined) found.push({ at: check.at, part: `${part}${partOf(check)}`, ...unmet });
    }
  }
  return found;
}

function partOf({ expected }: Check): string {
  if (expected.kind === "value") return "";
  return expected.kind === "json" ? `.json${expected.pointer}` : `.${expected.kind}`;
}

async function judgeValue(value: CwlValue, { expected }: Check, files: OutputFiles): Promise<Judged> {
  switch (expected.kind) {
    case "value":
      return compareValues(value, expected.value, expected.margin);
    case "class": {
      const isRight = expected.name === "File" ? isFile(value) : isDirectory(value);
      return isRight ? undefined : { message: `is ${kindText(value)}, expected a ${expected.name}` };
    }
    case "count": {
      const count = countOf(value);
      if (count === undefined) return { message: `is ${kindText(value)}, expected a list` };
      return inRange(count, expected.range, count === 1 ? "entry" : "entries");
    }
    case "basename":
      if (!isFile(value) && !isDirectory(value))
        return { message: `is ${kindText(value)}, expected a File or Directory` };
      return same(value.basename ?? "", expected.text);
    default:
      if (!isFile(value)) return { message: `is ${kindText(value)}, expected a File` };
      if (expected.kind === "checksum") return same(value.checksum ?? "none", expected.text);
      if (expected.kind === "size") return inRange(value.size ?? -1, expected.range, "bytes");
      return judgeContent(value, expected, files);
  }
}

function same(actual: string, expected: string): Judged {
  return actual === expected ? undefined : { message: `is ${actual}, expected ${expected}`, actual };
}

function countOf(value: CwlValue): number | undefined {
  if (isArray(value)) return value.length;
  return isDirectory(value) ? (value.listing?.length ?? 0) : undefined;
}

interface ValueAt {
  readonly part: string;
  readonly value: { readonly found: CwlValue } | { readonly fault: string };
}

/** The values that a path leads to: one value, or with `each` one value for each item. */
function valuesAt(value: CwlValue, part: string, path: readonly Segment[]): readonly ValueAt[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [{ part, value: { found: value } }];
  const fault = (message: string): readonly ValueAt[] => [{ part, value: { fault: message } }];
  switch (segment.kind) {
    case "field": {
      const field = isObject(value) ? fieldOf(value, segment.name) : undefined;
      if (field === undefined && part === "outputs") return fault(`there is no output \`${segment.name}\``);
      if (!isObject(value)) return fault(`is ${kindText(value)}, expected a record`);
      return valuesAt(field ?? null, `${part}.${segment.name}`, rest);
    }
    case "item": {
      if (!isArray(value)) return fault(`is ${kindText(value)}, expected a list`);
      const item = value[segment.index];
      // Another check has counted the items.
      return item === undefined ? [] : valuesAt(item, `${part}[${segment.index}]`, rest);
    }
    case "each":
      if (!isArray(value)) return fault(`is ${kindText(value)}, expected a list`);
      return value.flatMap((item, index) => valuesAt(item, `${part}[${index}]`, rest));
    case "entry":
    case "secondary": {
      const entries = entriesOf(value, segment.kind);
      if (entries === undefined)
        return fault(`is ${kindText(value)}, expected a ${segment.kind === "entry" ? "Directory" : "File"}`);
      const entry = entries.find(({ basename }) => basename === segment.name);
      const names = entries.map(({ basename }) => basename).join(", ");
      if (entry === undefined) return fault(`has no \`${segment.name}\`; it has ${names === "" ? "nothing" : names}`);
      return valuesAt(entry, `${part}/${segment.name}`, rest);
    }
  }
}

function entriesOf(value: CwlValue, kind: "entry" | "secondary"): readonly FileOrDirectory[] | undefined {
  if (kind === "entry") return isDirectory(value) ? (value.listing ?? []) : undefined;
  return isFile(value) ? (value.secondaryFiles ?? []) : undefined;
}
