import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlObject, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { planPlacements, type PlacementRequest } from "./plan-placements.ts";
import { safeName } from "@weft/cwl/model/safe-name.ts";

const file = (name: string, more: Partial<Extract<FileOrDirectory, { class: "File" }>> = {}) => ({
  class: "File" as const,
  basename: safeName(name),
  location: `file:///out/${name}`,
  checksum: `sha1$${name}`,
  size: 1,
  ...more,
});
const folder = (name: string, listing: readonly FileOrDirectory[]) => ({
  class: "Directory" as const,
  basename: safeName(name),
  location: `file:///out/${name}`,
  listing,
});

const request = (outputs: CwlObject, sinks: Record<string, string>): PlacementRequest => ({
  ...{ runId: "r1", sinks, samples: {}, outputs, outputNames: new Map(), sources: new Map() },
});

function plan(outputs: CwlObject, sinks: Record<string, string>, more: Partial<PlacementRequest> = {}) {
  const planned = planPlacements({ ...request(outputs, sinks), ...more });
  if (typeof planned === "string") return planned;
  return planned.map(
    ({ sampleId, path, file: source }) => `${sampleId ?? "-"} ${path.join("/")} < ${source?.location.slice(12) ?? ""}`,
  );
}

test("elements of a list go to their samples; a failed sample has no destination", () => {
  const outputs = { masks: [file("a.nii"), null, file("c.nii")] };
  const outputNames = new Map([["masks", ["s1", "s2", "s3"]]]);
  assert.deepEqual(plan(outputs, { masks: "vfs://r/{sample_id}/{basename}" }, { outputNames }), [
    "s1 s1/a.nii < a.nii",
    "s3 s3/c.nii < c.nii",
  ]);
});

test("secondary files stay next to their file and follow its new name", () => {
  const bam = file("a.bam", { secondaryFiles: [file("a.bam.bai"), file("a.dict"), file("other.txt")] });
  assert.deepEqual(plan({ o: bam }, { o: "vfs://r/{output}/x.bam" }), [
    "- o/x.bam < a.bam",
    "- o/x.bam.bai < a.bam.bai",
    "- o/x.dict < a.dict",
    "- o/other.txt < other.txt",
  ]);
});

test("a folder is placed with all its contents, including empty folders", () => {
  const tree = folder("tree", [file("a"), folder("sub", [file("b")]), folder("empty", [])]);
  assert.deepEqual(plan({ o: tree }, { o: "vfs://r/{basename}" }), [
    "- tree/a < a",
    "- tree/sub/b < b",
    "- tree/empty < ",
  ]);
});

test("nested lists are distinguished by all their indexes, records by the names of files", () => {
  const outputs = { o: [[file("a")], [file("b"), file("c")]], rec: { x: file("d"), n: 1 } };
  assert.deepEqual(plan(outputs, { o: "vfs://r/{index}", rec: "vfs://r/{nameroot}{nameext}" }), [
    "- 0.0 < a",
    "- 1.0 < b",
    "- 1.1 < c",
    "- d < d",
  ]);
});

test("every output of a run about one sample belongs to that sample", () =>
  assert.deepEqual(plan({ o: file("a.txt") }, { o: "vfs://r/{sample_id}{nameext}" }, { samples: { one: ["s9"] } }), [
    "s9 s9.txt < a.txt",
  ]));

const REFUSED: Readonly<Record<string, readonly [CwlObject, Record<string, string>, RegExp]>> = {
  "two files for one place": [
    { o: [file("a"), file("b")] },
    { o: "vfs://r/{output}" },
    /two different files would go to vfs:\/\/r\/o/,
  ],
  "two outputs for one place": [
    { o: file("a"), p: file("b") },
    { o: "vfs://r/x", p: "vfs://r/x" },
    /outputs "o" and "p"/,
  ],
  "a file where another needs a folder": [
    { o: file("a"), p: file("b") },
    { o: "vfs://r/x", p: "vfs://r/x/y" },
    /two different files/,
  ],
  "no sample": [
    { o: [file("a")] },
    { o: "vfs://r/{sample_id}" },
    /the output "o" has no \{sample_id\}, for the file "a"/,
  ],
};
for (const [name, [outputs, sinks, expected]] of Object.entries(REFUSED))
  test(`${name} is reported`, () => assert.match(String(plan(outputs, sinks)), expected));

test("equal content at one place is not a collision", () => {
  const same = file("a");
  assert.equal((plan({ o: same, p: same }, { o: "vfs://r/x", p: "vfs://r/x" }) as string[]).length, 2);
});

test("each placed file belongs to a whole: itself, or its outermost folder", () => {
  const bam = file("a.bam", { secondaryFiles: [file("a.bam.bai")] });
  const tree = folder("tree", [file("a"), folder("sub", [file("b")]), folder("empty", [])]);
  const sinks = { o: "vfs://r/{basename}", t: "vfs://r/{output}/{basename}" };
  const planned = planPlacements(request({ o: bam, t: tree }, sinks));
  assert.ok(typeof planned !== "string");
  assert.deepEqual(
    planned.map(({ path, whole }) => `${path.join("/")}: ${whole.path.join("/")} < ${whole.location?.slice(12) ?? ""}`),
    [
      "a.bam: a.bam < a.bam",
      "a.bam.bai: a.bam.bai < a.bam.bai",
      "t/tree/a: t/tree < tree",
      "t/tree/sub/b: t/tree < tree",
      "t/tree/empty: t/tree < tree",
    ],
  );
});
