import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FileRow } from "../../journal/rows.ts";
import { firstDivergence, type JobSide } from "./compare-jobs.ts";

interface Told {
  readonly state?: JobSide["job"]["state"];
  readonly inputs?: object;
  readonly outputs?: object | null;
  /** Contents by path: `port` or `port[0]`. */
  readonly read?: Readonly<Record<string, string>>;
  readonly wrote?: Readonly<Record<string, string>>;
}

function fileRow(direction: FileRow["direction"], [at, content]: readonly [string, string]): FileRow {
  const [port = "", place = ""] = /^([^[]*)(.*)$/.exec(at)?.slice(1) ?? [];
  // The columns that the comparison reads.
  return { direction, port, place, class: "File", checksum: `sha1$${content}`, sha256: null, uri: "x" } as FileRow;
}

/** A job; digests are its values themselves. */
function side({ state = "COMPLETE", inputs = {}, outputs = {}, read = {}, wrote = {} }: Told): JobSide {
  return {
    job: { state, inputs: JSON.stringify(inputs), outputs: outputs === null ? null : JSON.stringify(outputs) },
    files: [
      ...Object.entries(read).map((entry) => fileRow("input", entry)),
      ...Object.entries(wrote).map((entry) => fileRow("output", entry)),
    ],
  };
}

const AT = (location: string) => ({ class: "File", location, basename: "x" });

describe("firstDivergence", () => {
  const cases: Readonly<Record<string, readonly [first: Told, second: Told, expected: string | null | undefined]>> = {
    "nothing if everything is the same": [{ outputs: { n: 1 } }, { outputs: { n: 1 } }, undefined],
    "a number": [{ outputs: { n: 1, m: 2 } }, { outputs: { n: 1, m: 3 } }, "m"],
    "a text in a list of records": [{ outputs: { l: [{ t: "a" }] } }, { outputs: { l: [{ t: "b" }] } }, "l[0].t"],
    "an entry that only one list has": [{ outputs: { l: [1] } }, { outputs: { l: [1, 2] } }, "l[1]"],
    "a value next to an equal file": [outputs(1, "1"), outputs(2, "1"), "n"],
    "a file next to an equal value": [outputs(1, "1"), outputs(1, "2"), "f"],
    "a file that only one has": [{ wrote: { "f[0]": "1" } }, { wrote: { "f[0]": "1", "f[1]": "2" } }, "f[1]"],
    "another state": [{ state: "COMPLETE" }, { state: "EXECUTOR_ERROR", outputs: null }, null],
    "nothing if an input number differs": [given(1), { ...given(2), outputs: { n: 2 } }, undefined],
    "nothing if an input file differs": [{ read: { f: "1" } }, { read: { f: "2" }, outputs: { n: 2 } }, undefined],
    "a value if the input files are equal but have different addresses": [
      { inputs: { f: AT("a") }, read: { f: "1" }, outputs: { n: 1 } },
      { inputs: { f: AT("b") }, read: { f: "1" }, outputs: { n: 2 } },
      "n",
    ],
    "nothing if equal files have different addresses": [
      { outputs: { f: AT("a") } },
      { outputs: { f: AT("b") } },
      undefined,
    ],
  };
  for (const [what, [first, second, expected]] of Object.entries(cases))
    it(`reports ${what}`, () => {
      const parted = firstDivergence([side(first), side(second)], { blob: (digest) => digest });
      assert.deepEqual(parted, expected === undefined ? undefined : { output: expected });
    });
});

function outputs(n: number, content: string): Told {
  return { outputs: { n, f: AT(String(n)) }, wrote: { f: content } };
}

function given(n: number): Told {
  return { inputs: { n } };
}
