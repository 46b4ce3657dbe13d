import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { threadMs } from "@weft/shared/testing/thread-time.ts";
import { startRun } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const LOADS = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: "true"
inputs:
  file: { type: "File?", loadContents: true }
  any: { type: Any?, loadContents: true }
  files: { type: "File[]?", loadContents: true }
  directory: { type: "Directory?", loadListing: deep_listing }
  needy: { type: "File?", secondaryFiles: [ .idx ] }
outputs: {}
`;

const { engine, root } = await serveFiles(
  { "catalog/tools/loads/1.0.0/loads.cwl": LOADS, "data/": "" },
  { data: ["data"] },
);

async function refusalOf(inputs: Record<string, unknown>): Promise<Refusal> {
  const error: unknown = await startRun(engine, { tool: "loads", inputs }).catch((thrown: unknown) => thrown);
  if (error instanceof Refusal) return error;
  throw new Error("the request was not refused", { cause: error });
}

describe("a missing File", () => {
  const LOCATIONS = [
    "data/missing.txt",
    "weft-data://data/missing.txt",
    "weft-data:///nowhere",
    `file://${root}/data/missing.txt`,
    "file:///nowhere/else.txt",
    "file:///a%00b",
    "file://other.example/a",
    "http://127.0.0.1:1/x",
    "ftp://x/y",
    "::",
    "data",
    "%zz",
    "x".repeat(5000),
    "a/".repeat(3000),
  ];
  for (const location of LOCATIONS) {
    const shown = location.slice(0, 40);
    const file = { class: "File", location };
    const CASES: readonly (readonly [string, unknown, string])[] = [
      ["file", file, ""],
      ["any", file, ""],
      ["files", [file], "/0"],
      ["directory", { class: "Directory", location }, ""],
      ["directory", { class: "Directory", listing: [file] }, "/listing/0"],
      ["file", { class: "File", basename: "a", contents: "", secondaryFiles: [file] }, "/secondaryFiles/0"],
      ["needy", file, ""],
    ];
    for (const [input, value, at] of CASES)
      it(`is refused with its position: ${shown} as ${input}${at}`, async () => {
        if (input === "directory" && location === "data") return;
        const { code, errors } = await refusalOf({ [input]: value });
        assert.equal(code, "invalid-inputs");
        assert.deepEqual(
          errors.map(({ pointer }) => pointer?.replace(/\/location$/, "")),
          [`/inputs/${input}${at}`],
        );
      });
  }
});

const missing = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ class: "File", location: `weft-data://data/${index}` }));
const unsafe = (count: number) =>
  Array.from({ length: count }, () => ({ class: "File", basename: "a/b", contents: "" }));

describe("a request with thousands of problems", () => {
  const CASES: Readonly<Record<string, (count: number) => Record<string, unknown>>> = {
    "missing Files": (count) => ({ files: missing(count) }),
    "missing Files of Any": (count) => ({ any: missing(count) }),
    "missing secondary files": (count) => ({
      file: { class: "File", basename: "a", contents: "", secondaryFiles: missing(count) },
    }),
    "Files with an unsafe name": (count) => ({ any: unsafe(count) }),
    "unknown inputs that are missing Files": (count) =>
      Object.fromEntries(missing(count).map((file, index) => [`unknown-${index}`, file])),
  };
  for (const [what, inputs] of Object.entries(CASES))
    it(`lists the first hundred and counts the others, in time that grows with their number: ${what}`, async () => {
      const timeOf = async (count: number) => {
        const started = threadMs();
        const { message, errors } = await refusalOf(inputs(count));
        assert.equal(errors.length, 101);
        assert.equal(errors.at(-1)?.code, "more-problems");
        assert.match(errors.at(-1)?.detail ?? "", /^at least \d{3} more problems are not listed$/);
        assert.match(message, /\(and \d+ more\)$/);
        return threadMs() - started;
      };
      const few = await timeOf(2_000);
      // The square of ten would be a hundred.
      assert.ok((await timeOf(20_000)) < 40 * few + 200);
    });

  it("finds a repeated sample among thousands", async () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `s${index}`);
    const texts = [...names, "s0"].map(() => "x");
    const body = { tool: "loads", inputs: { any: texts }, samples: { any: [...names, "s0"] } };
    await assert.rejects(startRun(engine, body), /duplicate sample name "s0"/);
  });
});
