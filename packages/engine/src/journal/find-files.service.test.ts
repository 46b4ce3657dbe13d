import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { EventAppender } from "./append-events.ts";
import { NAMES_PER_PAGE } from "./find-files.ts";
import type { FileQuery } from "./files-where.ts";
import { NAMES_AT_ONCE } from "./name-tables.ts";
import type { NewEvent } from "./journal-event.ts";
import { createLogReader, type LogReader } from "./log-reader.ts";
import { openForWriting } from "./open-database.ts";
import { runCreated } from "./testing/new-events.ts";
import { column } from "../testing/columns.ts";

interface TestRun {
  readonly runId: string;
  readonly owner?: string;
  readonly names: readonly string[];
}

/** A run that was given files of these names, all of the same content. */
function runWith({ runId, owner = "ann", names }: TestRun): NewEvent[] {
  const files = names.map((name) => ({
    port: "image",
    name,
    uri: `weft-data://data/${runId}/${name}`,
    checksum: "sha1$0",
    size: 1,
  }));
  return [runCreated(runId, {}, owner), { type: "run.inputs", run_id: runId, actor: "engine", data: { files } }];
}

function logOf(...runs: readonly TestRun[]): { readonly db: DatabaseSync; readonly read: LogReader } {
  const db = openForWriting(":memory:", "fast");
  const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 1, movedMs: 0 }), offsetMs: 0 }));
  for (const run of runs) appender.appendAll([runWith(run)]);
  return { db, read: createLogReader(db, "writer") };
}

const namesOf = (read: LogReader, query: Partial<FileQuery>) =>
  read.files({ pageSize: 100, ...query }).entries.map(({ runId, name }) => `${runId}: ${name}`);

/** All pages of a query. */
function pagesOf(read: LogReader, query: Partial<FileQuery>): string[][] {
  const pages: string[][] = [];
  let pageToken: string | undefined = "";
  while (pageToken !== undefined) {
    const page = read.files({ pageSize: 2, ...query, pageToken });
    pages.push(page.entries.map(({ runId, name }) => `${runId}: ${name}`));
    pageToken = page.nextPageToken === "" ? undefined : page.nextPageToken;
  }
  return pages;
}

const RUNS: readonly TestRun[] = [
  { runId: "1", names: ["sub-01_T1w.nii", 'a "quoted" name.txt', "100%_sure.csv", "ab", "x"] },
  { runId: "2", names: ["SUB-02_T1W.NII", "größe.txt", "abc", "日本語.txt", "half\ud800"] },
];
/** Names that fit nothing, after which the ones before them are indexed. */
const OTHERS: TestRun = { runId: "3", names: Array.from({ length: 2 * NAMES_AT_ONCE }, (_, at) => `~${at}~`) };
const CASES: [string, string[]][] = [
  ["T1w", ["2: SUB-02_T1W.NII", "1: sub-01_T1w.nii"]],
  ["01_T1w.nii", ["1: sub-01_T1w.nii"]],
  ["sub-0?", []],
  ["sub-03", []],
  ["T1w1", []],
  ['"quoted" n', ['1: a "quoted" name.txt']],
  ['" OR "', []],
  ["0%_", ["1: 100%_sure.csv"]],
  ["1_T", ["1: sub-01_T1w.nii"]],
  ["öße", ["2: größe.txt"]],
  ["ÖSSE", []],
  ["本語.", ["2: 日本語.txt"]],
  ["本語", []],
  ["日本", ["2: 日本語.txt"]],
  ["ab", ["2: abc", "1: ab"]],
  ["x", ["1: x"]],
  ["T", []],
  ["S", ["2: SUB-02_T1W.NII", "1: sub-01_T1w.nii"]],
  ["//s", []],
  ["/", []],
  ["txt\0", []],
  ["\0", []],
];
for (const [kind, runs] of [
  ["if it is indexed", [...RUNS, OTHERS]],
  ["if it is too new to be indexed", RUNS],
] as const)
  describe(`a part of a name ${kind}`, () => {
    const { read } = logOf(...runs);

    for (const [text, expected] of CASES)
      it(`finds ${JSON.stringify(expected)} by ${JSON.stringify(text)}`, () => {
        assert.deepEqual(namesOf(read, { text }), expected);
      });

    for (const [text] of CASES)
      it(`means the same within one run: ${JSON.stringify(text)}`, () => {
        const found = ["2", "1"].flatMap((runId) => namesOf(read, { text, runId }).toSorted());
        assert.deepEqual(found, namesOf(read, { text }));
      });

    it("is counted only if all files fit on one page", () => {
      assert.equal(read.files({ text: "T1w", pageSize: 2 }).total, 2);
      assert.equal(read.files({ text: "T1w", pageSize: 1 }).total, null);
    });
  });

describe("pages of files by a part of their name", () => {
  const runs = ["1", "2", "3"].map((runId) => ({ runId, names: ["out.txt", "other.csv", "out.txt"] }));

  it("come newest first, all files of a name in a run one after the other, none twice and none left out", () => {
    const { read } = logOf(...runs);
    const expected = ["3", "2", "1"].map((runId) => [`${runId}: out.txt`, `${runId}: out.txt`]);
    assert.deepEqual(pagesOf(read, { text: "out." }), expected);
    assert.deepEqual(pagesOf(read, { text: "out.", pageSize: 1 }).flat(), expected.flat());
    assert.deepEqual(pagesOf(read, { text: "out.", pageSize: 5 }).flat(), expected.flat());
  });

  it("continue at the same position when new files arrive", () => {
    const { db, read } = logOf(...runs);
    const first = read.files({ text: "out.", pageSize: 3 });
    const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 2, movedMs: 0 }), offsetMs: 0 }));
    appender.appendAll([runWith({ runId: "4", names: ["out.txt"] })]);
    const second = read.files({ text: "out.", pageSize: 9, pageToken: first.nextPageToken });
    assert.deepEqual(column(second.entries, "runId"), ["2", "1", "1"]);
  });

  it("refuse tokens of the list without a name", () => {
    const { read } = logOf(...runs);
    const { nextPageToken } = read.files({ pageSize: 1 });
    assert.throws(() => read.files({ text: "out", pageSize: 1, pageToken: nextPageToken }), Refusal);
  });

  it("list a file once even if its inputs were recorded again", () => {
    const { db, read } = logOf({ runId: "1", names: ["again.txt"] });
    const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 2, movedMs: 0 }), offsetMs: 0 }));
    const inputs = runWith({ runId: "1", names: ["again.txt"] }).filter(({ type }) => type === "run.inputs");
    appender.appendAll([inputs]);
    assert.deepEqual(namesOf(read, { text: "again" }), ["1: again.txt"]);
  });

  it("meet the other conditions, and contain only visible runs", () => {
    const { read } = logOf(
      { runId: "1", owner: "ann", names: ["out.txt"] },
      { runId: "2", owner: "bob", names: ["out.txt"] },
    );
    assert.deepEqual(namesOf(read, { text: "out", visibleOwner: "ann" }), ["1: out.txt"]);
    assert.deepEqual(namesOf(read, { text: "o", visibleOwner: "bob" }), ["2: out.txt"]);
    assert.deepEqual(namesOf(read, { text: "out", visibleOwner: "eve" }), []);
    assert.deepEqual(namesOf(read, { text: "out", checksum: "sha1$0", visibleOwner: "ann" }), ["1: out.txt"]);
    assert.deepEqual(namesOf(read, { text: "out", direction: "output" }), []);
    assert.deepEqual(namesOf(read, { text: "out", scope: "job" }), []);
    assert.deepEqual(namesOf(read, { text: "out", tool: "smooth" }), []);
  });

  it("end early if very many names match but the rest of the search does not, and continue from there", () => {
    const many = Array.from({ length: 3 * NAMES_PER_PAGE }, (_, at) => `out-${at}.txt`);
    const { read } = logOf({ runId: "1", owner: "ann", names: ["out.txt"] }, { runId: "2", owner: "bob", names: many });
    assert.deepEqual(pagesOf(read, { text: "out", visibleOwner: "ann" }), [[], [], ["1: out.txt"]]);
    const first = read.files({ text: "out", visibleOwner: "ann", pageSize: 2 });
    assert.equal(first.total, null);
    assert.deepEqual(namesOf(read, { text: "out.", visibleOwner: "ann" }), ["1: out.txt"]);
  });
});

describe("the work of a search by a part of a name", () => {
  /** Number of rows with names that a search read, whichever query it used. */
  function workOf(db: DatabaseSync, query: Partial<FileQuery>): number {
    let rows = 0;
    const prepare = (text: string) => {
      const statement = db.prepare(text);
      return {
        all: (...values: (string | number)[]) => {
          const found = statement.all(...values);
          rows += 1 + found.length;
          return found;
        },
        get: (...values: (string | number)[]) => statement.get(...values),
      };
    };
    // The part of a connection that reading needs.
    createLogReader({ prepare } as unknown as DatabaseSync, "writer").files({ pageSize: 10, ...query });
    return rows;
  }

  const unrelated = (count: number): TestRun[] =>
    Array.from({ length: count }, (_, at) => ({
      runId: `u${at}`,
      names: ["out.txt", ...Array.from({ length: 99 }, (_, file) => `image-${at}-${file}.nii`)],
    }));
  const [few, many] = [20, 400].map((count) => {
    const runs = unrelated(count);
    return logOf(...runs.slice(0, count / 2), { runId: "c", names: ["chain-7.nii"] }, ...runs.slice(count / 2));
  });

  for (const text of ["chain-7", ".nii", "i", "out.txt", "image-5-7.n"])
    it(`hardly grows with the number of unrelated runs: ${text}`, () => {
      assert.ok(few !== undefined && many !== undefined);
      const [a, b] = [workOf(few.db, { text }), workOf(many.db, { text })];
      assert.ok(b <= 3 * a + 20, `${a} with few, ${b} with many`);
    });
});
