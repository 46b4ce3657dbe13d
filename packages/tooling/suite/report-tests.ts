// A reporter of `node --test`: prints failures in full and everything else as counts. The counts and the skipped tests also go to
// the file that WEFT_TEST_RESULT names, where the suite reads them.
import { writeFileSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** How a part of the suite ended. */
export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly Skipped[];
}

const SLOWEST = 5;

export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tally = new Tally();
  for await (const event of events) {
    const text = tally.add(event);
    if (text !== "") yield text;
  }
  yield tally.slowest();
  const path = process.env["WEFT_TEST_RESULT"];
  if (path !== undefined) writeFileSync(path, JSON.stringify(tally.result()));
}

class Tally {
  #passed = 0;
  #failed = 0;
  readonly #skipped: Skipped[] = [];
  readonly #printed = new Map<string, string>();
  readonly #parents = new Map<string, string[]>();
  readonly #durationsMs = new Map<string, number>();

  /** Returns the text to print about an event; empty if there is none. */
  add({ type, data }: TestEvent): string {
    switch (type) {
      case "test:stdout":
      case "test:stderr":
        this.#printed.set(data.file ?? "", (this.#printed.get(data.file ?? "") ?? "") + data.message);
        return "";
      case "test:start":
        this.#parentsIn(data.file)[data.nesting] = data.name;
        return "";
      case "test:pass":
        if (data.nesting === 0) this.#addDuration(data);
        if (!isGroup(data) || isSkipped(data)) this.#addPass(data);
        return "";
      case "test:fail":
        if (data.nesting === 0) this.#addDuration(data);
        return isGroup(data) && isOfSubtests(data.details.error) ? "" : this.#addFailure(data);
      default:
        return "";
    }
  }

  result(): TestResult {
    return { passed: this.#passed, failed: this.#failed, skipped: this.#skipped };
  }

  slowest(): string {
    const longest = [...this.#durationsMs].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
    const listed = longest.map(([file, ms]) => `${shortened(file)} ${(ms / 1000).toFixed(1)} s`);
    return listed.length === 0 ? "" : `  slowest: ${listed.join(", ")}\n`;
  }

  #addPass(data: { name: string; file?: string; skip?: string | boolean }): void {
    const { name, file, skip } = data;
    if (!isSkipped(data)) this.#passed++;
    else
      this.#skipped.push({
        name: this.#fullName(name, file),
        reason: skip === true ? "gives no reason" : skip || "gives no reason",
      });
  }

  #addFailure(data: {
    name: string;
    file?: string;
    line?: number;
    nesting: number;
    details: { error: Error };
  }): string {
    this.#failed++;
    const place = data.file === undefined ? "" : ` (${shortened(data.file)}:${data.line ?? 1})`;
    const { error } = data.details;
    const printed = this.#printed.get(data.file ?? "") ?? "";
    this.#printed.delete(data.file ?? "");
    const reason = inspect(error.cause ?? error, { depth: 5 });
    return `✗ ${this.#nameOf(data)}${place}\n${indented(reason)}\n${indented(printed)}`;
  }

  #nameOf({ name, file, nesting }: { name: string; file?: string; nesting: number }): string {
    return [...this.#parentsIn(file).slice(0, nesting).filter(Boolean), name].join(" › ");
  }

  #fullName(name: string, file: string | undefined): string {
    return file === undefined ? name : `${shortened(file)}: ${name}`;
  }

  #parentsIn(file = ""): string[] {
    const found = this.#parents.get(file) ?? [];
    this.#parents.set(file, found);
    return found;
  }

  #addDuration(data: Pick<Ended, "name" | "file"> & { details: { duration_ms: number } }): void {
    const file = isFile(data) ? data.name : (data.file ?? "");
    this.#durationsMs.set(file, (this.#durationsMs.get(file) ?? 0) + data.details.duration_ms);
  }
}

interface Ended {
  readonly name: string;
  readonly file?: string;
  readonly details: { readonly type?: string };
}

/** A suite, or the test that contains the tests of a file. */
function isGroup(data: Ended): boolean {
  return data.details.type === "suite" || isFile(data);
}

/** A skipped suite never runs its function, so Node reports none of its tests. */
function isSkipped({ skip }: { readonly skip?: string | boolean }): boolean {
  return skip !== undefined && skip !== false;
}

function isFile({ file }: { readonly file?: string }): boolean {
  return file?.endsWith("/in-one-process.ts") ?? false;
}

/** A suite that fails only because one of its tests failed adds no information. */
function isOfSubtests(error: Error): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed";
}

function shortened(file: string): string {
  return file.replace(/^.*\/packages\//u, "packages/");
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gmu, "    ");
}
