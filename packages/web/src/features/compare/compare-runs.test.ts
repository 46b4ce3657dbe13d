import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { FileValue } from "../../format/value-text.ts";
import { runRecord } from "../../testing/run-record.ts";
import {
  MAX_TEXT_BYTES,
  changeText,
  compareRuns,
  differsInLineEndsOnly,
  filePairs,
  groupResults,
  isLarge,
  isText,
  namedByServer,
  placeOfOutput,
  resultText,
  type ComparedThing,
} from "./compare-runs.ts";

const file = (location: string, checksum?: string) => ({ class: "File", location, ...(checksum && { checksum }) });

const stepWith = (job_counts: Run["job_counts"]): Run["step_counts"][number] => ({
  ...{ step: "s", jobs_total: 2, jobs_total_is_final: true, jobs_cached: 0, job_counts },
});

function differences(a: Partial<Run>, b: Partial<Run>): string[] {
  return compareRuns([runRecord("a", a), runRecord("b", b)])
    .filter(({ isSame }) => !isSame)
    .map(({ section, name, sides }) => `${section} ${name}: ${sides[0] ?? "none"} | ${sides[1] ?? "none"}`);
}

// The parts of a record that these functions read.
const run = (part: Partial<Run>): Run => part as Run;
const comparison = (names: readonly string[]): RunComparison => {
  const outputs = names.map((name) => ({ name, result: "different" as const, detail: null }));
  return { inputs: [], outputs } as Partial<RunComparison> as RunComparison; // as above
};

const thing = (name: string, file?: FileValue): ComparedThing => output([file, file], { name });

const pairedFile = (basename: string, size: number | undefined = 10): FileValue => ({ class: "File", basename, size });

const WHOLE = { outputs: { masks: [file("/a", "sha1$1"), file("/b", "sha1$2")], note: null } };
/** A failed run has the outputs that its jobs produced, and no others. */
const FAILED = { partial: true, outputs: { masks: [file("/x", "sha1$1"), null], note: null } };

test("compareRuns returns only differences", () => {
  const cases: [Partial<Run>, Partial<Run>, string[]][] = [
    [{}, { duration_ms: 9000, created_at: "2027-01-01T00:00:00.000Z" }, []],
    [
      { inputs: { top: 20, names: ["a", "b"] } },
      { inputs: { top: 5, names: ["a", "c", "d"] } },
      ["Inputs top: 20 | 5", "Inputs names[1]: b | c", "Inputs names[2]: none | d"],
    ],
    [
      { inputs: { settings: { width: 1, on: true } } },
      { inputs: { settings: { width: 2, on: true } } },
      ["Inputs settings.width: 1 | 2"],
    ],
    [{ outputs: { table: file("/r/a/t.csv", "sha1$1") } }, { outputs: { table: file("/r/b/t.csv", "sha1$1") } }, []],
    [
      { outputs: { table: file("/r/a/t.csv", "sha1$1") } },
      { outputs: { table: file("/r/b/t.csv", "sha1$2") } },
      ["Outputs table: t.csv | t.csv"],
    ],
    [
      { inputs: { image: file("weft-data://c/1") } },
      { inputs: { image: file("weft-data://c/2") } },
      ["Inputs image: 1 | 2"],
    ],
    [
      { inputs: { image: file("/a/x.nii") } },
      { inputs: { image: file("/b/x.nii") } },
      ["Inputs image: x.nii, /a | x.nii, /b"],
    ],
    [
      { inputs: { image: file("/a/x.nii", "sha1$1234567890ab") } },
      { inputs: { image: file("/a/x.nii", "sha1$abcdef123456") } },
      ["Inputs image: x.nii, sha1$12345678 | x.nii, sha1$abcdef12"],
    ],
    [
      { inputs: { image: file("/a/x.nii") } },
      { inputs: { image: { class: "File", basename: "x.nii", location: "data:,b" } } },
      ["Inputs image: x.nii, /a | x.nii, inline content"],
    ],
    [
      { options: { on_failure: "stop_now" } },
      {},
      ["Run When a job fails: Stop everything immediately | Continue with independent jobs"],
    ],
    [{ outputs: null }, { outputs: { n: [] } }, ["Outputs n: none | []"]],
    [WHOLE, FAILED, ["Outputs masks[1]: b | none", "Outputs note: null | none"]],
    [FAILED, { ...FAILED, outputs: { masks: [file("/y", "sha1$1"), null] } }, []],
    [WHOLE, { ...WHOLE, partial: false }, []],
    [
      { outputs: { d: { class: "Directory", location: "/a", listing: [file("/a/x", "sha1$1")] } } },
      { outputs: { d: { class: "Directory", location: "/b", listing: [file("/b/x", "sha1$1")] } } },
      [],
    ],
    [{ state: "EXECUTOR_ERROR" }, {}, ["Run State: Failed | Succeeded"]],
    [
      { step_counts: [stepWith({ COMPLETE: 2 })] },
      { step_counts: [stepWith({ COMPLETE: 1, CANCELED: 1 })] },
      ["Steps s: 2 succeeded | 1 succeeded, 1 aborted"],
    ],
  ];
  for (const [a, b, expected] of cases) assert.deepEqual(differences(a, b), expected);
});

test("each run is compared with the first, and different ones are named", () => {
  const inputs = [{ top: 1, n: 5 }, { top: 2, n: 5 }, { top: 1, n: 5, extra: "x" }, { top: 2 }];
  const things = compareRuns(inputs.map((own, place) => runRecord(`run ${place}`, { inputs: own })));
  assert.deepEqual(
    things.filter(({ section }) => section === "Inputs").map((thing) => [thing.name, thing.sides, resultText(thing)]),
    [
      ["top", ["1", "2", "1", "2"], "B and D differ"],
      ["n", ["5", "5", "5", undefined], "D differs"],
      ["extra", [undefined, undefined, "x", undefined], "C differs"],
    ],
  );
});

test("resultText names the runs that differ among four, but not among two", () => {
  const textOf = (differs: readonly boolean[], sides: readonly (string | undefined)[]) =>
    resultText({ isSame: !differs.includes(true), differs, sides });
  assert.equal(textOf([false, true, true, true], ["1", "2", "3", "4"]), "B, C and D differ");
  assert.equal(textOf([false, true], ["1", "2"]), "differs");
  assert.equal(textOf([false, true], ["1", undefined]), "only in A");
  assert.equal(textOf([false, true], [undefined, "2"]), "only in B");
  assert.equal(textOf([false, true], ["a.txt", "a.txt"]), "differs");
  assert.equal(textOf([false, true, false], ["a.txt", "a.txt", "a.txt"]), "B differs");
  assert.equal(textOf([false, false, false], ["1", "1", "1"]), "same");
});

test("a different document is called another, without its digest", () => {
  const digest = (text: string) => ({ network: { id: "cohort", version: null, digest: `sha256:${text}`, url: "" } });
  const things = compareRuns([runRecord("a", digest("1")), runRecord("b", digest("2")), runRecord("c", digest("1"))]);
  const { sides, differs } = things.find(({ name }) => name === "Document") ?? assert.fail();
  assert.deepEqual([sides, differs.join()], [["baseline", "different", "identical"], "false,true,false"]);
});

test("numbers differ in percent, and sizes of files do not", () => {
  const cases: readonly (readonly [number | undefined, number | undefined, string | undefined])[] = [
    [100, 112.5, "+12.5%"],
    [100, 50, "−50%"],
    [-2, -1, "+50%"],
    [0, 3, "+3"],
    [1e-9, 1, "+1"],
    [3, 3, undefined],
    [1, 1.000001, "+less than 0.001%"],
    [undefined, 3, undefined],
  ];
  for (const [before, after, expected] of cases) assert.equal(changeText(before, after), expected);
  const sized = (size: number, checksum: string) => ({ outputs: { t: { ...file("/t.csv", checksum), size } } });
  const things = compareRuns([runRecord("a", sized(200, "sha1$1")), runRecord("b", sized(300, "sha1$2"))]);
  const { sides, changes } = things.find(({ isSame }) => !isSame) ?? assert.fail();
  assert.deepEqual({ sides, changes }, { sides: ["t.csv, 200 B", "t.csv, 300 B"], changes: [undefined, undefined] });
});

test("placeOfOutput finds the output and the index of an item", () => {
  assert.deepEqual(placeOfOutput("masks[2].volume"), { output: "masks", index: 2 });
  assert.deepEqual(placeOfOutput("report"), { output: "report", index: undefined });
  assert.deepEqual(placeOfOutput("stats.mean[1]"), { output: "stats", index: undefined });
});

test("values that were left out are large; those of a run without outputs are not", () => {
  const omitted = { outputs_bytes: 5e6, url: "" };
  assert.equal(isLarge("Outputs", [run({ outputs: {} }), run({ outputs: null, omitted })]), true);
  assert.equal(isLarge("Inputs", [run({ inputs: {} }), run({ outputs: null, inputs: {}, omitted })]), false);
  assert.equal(isLarge("Outputs", [run({ outputs: null }), run({ outputs: {} })]), false);
});

test("the server names differences in large values, for each run", () => {
  const runs = [run({}), run({}), run({})];
  const found = [undefined, comparison(["masks[2]"]), comparison(["masks[2]", "table"])];
  const things = namedByServer("Outputs", runs, found);
  const lines = things.map(({ name, differs, sides }) => `${name} ${differs.join()} ${sides[1]}`);
  assert.deepEqual(lines, ["masks[2] false,true,true different", "table false,false,true identical"]);
});

test("results are by sample, and many values of one are one row", () => {
  const file: FileValue = { class: "File", basename: "a" };
  const things = [
    thing("masks[0]", file),
    thing("masks[1]", file),
    ...Array.from({ length: 4 }, (_, n) => thing(`series[0][${n}]`)),
    thing("series[1][0]"),
    thing("report", file),
    ...Array.from({ length: 5 }, (_, n) => thing(`folder.listing[${n}]`, file)),
  ];
  const rows = groupResults(things);
  const names = rows.map(({ name }) => name);
  const listing = Array.from({ length: 5 }, (_, n) => `folder.listing[${n}]`);
  assert.deepEqual(names, ["report", ...listing, "masks[0]", "series[0]", "masks[1]", "series[1][0]"]);
  const { sides, differs } = rows.find(({ name }) => name === "series[0]") ?? assert.fail();
  assert.deepEqual({ sides, differs }, { sides: ["4 values", "4 of them differ"], differs: [false, true] });
});

function output(files: readonly (FileValue | undefined)[], change: Partial<ComparedThing> = {}): ComparedThing {
  const [differs, sides] = [files.map((_, place) => place > 0), files.map(() => "")];
  return { section: "Outputs", name: "table", sides, changes: [], differs, files, isSame: false, ...change };
}

test("filePairs offers files that differ and can be shown side by side", () => {
  const text = pairedFile("a.csv");
  const cases: [what: string, ComparedThing, string[]][] = [
    ["a table", output([text, pairedFile("b.csv")]), ["B text"]],
    [
      "the runs that differ, of four",
      output([text, text, text, text], { differs: [false, true, false, true] }),
      ["B text", "D text"],
    ],
    ["a name without an extension", output([pairedFile("Makefile"), pairedFile("Makefile")]), ["B text"]],
    ["the largest that is read", output([pairedFile("a.txt", MAX_TEXT_BYTES), text]), ["B text"]],
    ["one that is too large", output([pairedFile("a.txt", MAX_TEXT_BYTES + 1), text]), []],
    ["one of unknown size", output([{ class: "File", basename: "a.txt" }, text]), []],
    ["a picture", output([pairedFile("a.png"), pairedFile("b.PNG")]), ["B image"]],
    ["a picture and a text", output([pairedFile("a.png"), pairedFile("a.txt")]), []],
    ["a picture that is too large", output([pairedFile("a.png", 1e9), pairedFile("a.png")]), []],
    ["a volume", output([pairedFile("a.nii.gz"), pairedFile("a.nii.gz")]), ["B volume"]],
    ["a packed file", output([pairedFile("a.tar.gz"), pairedFile("a.tar.gz")]), []],
    ["a folder", output([{ ...text, class: "Directory" }, text]), []],
    ["one that only one run has", output([undefined, text]), []],
    ["an identical file", output([text, text], { isSame: true }), []],
    ["an input", output([text, text], { section: "Inputs" }), []],
  ];
  for (const [what, thing, expected] of cases) {
    const pairs = filePairs(thing).map(({ mark, kind }) => `${mark} ${kind}`);
    assert.deepEqual(pairs, expected, what);
  }
});

test("isText distinguishes text from other bytes that were read as UTF-8", () => {
  const read = (...bytes: number[]): boolean => isText(new TextDecoder().decode(Uint8Array.from(bytes)));
  assert.equal(read(0x61, 0xc3, 0xa4, 0x0a), true);
  assert.equal(read(), true);
  assert.equal(read(0x61, 0x00), false);
  assert.equal(read(0x1f, 0x8b, 0x08), false);
});

test("differsInLineEndsOnly ignores the line endings of other systems", () => {
  const cases: [string, string, boolean][] = [
    ["a\nb\n", "a\r\nb\r\n", true],
    ["a\nb\n", "a\nb", true],
    ["a\n", "a\n", false],
    ["a\n", "b\n", false],
    ["a\n\n", "a", false],
  ];
  for (const [a, b, expected] of cases) assert.equal(differsInLineEndsOnly(a, b), expected, JSON.stringify([a, b]));
});
