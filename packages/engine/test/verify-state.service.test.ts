import assert from "node:assert/strict";
import { appendFile, chmod, cp, readdir, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { findingText } from "../src/provenance/verify/finding.ts";
import { verifyState, type StateToVerify } from "../src/provenance/verify/verify-state.ts";
import { runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, catalogFile, TEST_CATALOG } from "./test-catalog.ts";
import { columns } from "../src/testing/columns.ts";

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);
const catalogFolder = join(root, "catalog");
const original = join(root, "state");
const runId = await runOnce();

/** One run whose two jobs read catalog files, with a server that has ended. */
async function runOnce(): Promise<string> {
  const engine = await openTestEngine(root, { executor, jobs: 1 });
  const run = await runToEnd(engine, {
    network: "shout-all",
    inputs: { texts: [catalogFile("one.txt"), catalogFile("two.txt")] },
  });
  await engine.stop("drain");
  return run.run_id;
}

let count = 0;
const ALL = { expected: undefined, withFiles: true };
const inCopy = async (tamper: (folder: string) => unknown, more: Partial<StateToVerify> = {}) => {
  const stateFolder = join(root, `copy-${++count}`);
  await cp(original, stateFolder, { recursive: true });
  await tamper(stateFolder);
  return verifyState({ ...ALL, stateFolder, dataFolders: { catalog: catalogFolder }, ...more });
};
const sql = (text: string) => (folder: string) => {
  using db = new DatabaseSync(join(folder, "weft.db"));
  db.exec(text);
};
const outputs = (folder: string) => join(folder, "runs", runId, "outputs");

describe("verifyState", () => {
  it("finds no change in an untouched state folder, and reads every event, document and file", async () => {
    const report = await inCopy(() => {});
    assert.deepEqual(report.findings, []);
    using db = new DatabaseSync(join(original, "weft.db"), { readOnly: true });
    const { events } = { ...db.prepare("SELECT count(*) AS events FROM events").get() };
    assert.equal(report.head.seq, events);
    // Two inputs, two outputs of jobs, two of the run.
    assert.deepEqual([report.filesChecked, report.filesUnchecked], [6, 0]);
  });

  const lastSeq = async () => (await inCopy(() => {})).head.seq;
  const cases: Readonly<Record<string, readonly [(folder: string) => unknown, RegExp[]]>> = {
    "an event whose data was changed": [
      sql(`UPDATE events SET data = json_set(data, '$.exit_code', 7) WHERE type = 'job.ended' AND job_id = 'shout-1'`),
      [/^event \d+ \(job\.ended of job shout-1 of run .*does not match the hash chain/],
    ],
    "an event that was given to someone else": [
      sql("UPDATE events SET actor = 'mallory' WHERE type = 'run.created'"),
      [/^event \d+ \(run\.created/],
    ],
    "an event at another time": [sql("UPDATE events SET time_ms = time_ms - 1 WHERE seq = 2"), [/^event 2 /]],
    "an event whose data is no longer JSON": [sql("UPDATE events SET data = '{' WHERE seq = 1"), [/^event 1 /]],
    "events that were taken out": [
      sql("DELETE FROM events WHERE type LIKE 'job.%' AND job_id = 'shout-0'"),
      [/^events? \d+( to \d+)?: (is|are) missing/],
    ],
    "a document that was changed": [
      sql("UPDATE blobs SET text = replace(text, 'baseCommand', 'basecommand') WHERE text LIKE '%Workflow%'"),
      [/^document sha256:[0-9a-f]{64}: its text was changed/],
    ],
    "a document that is gone": [
      sql("DELETE FROM blobs WHERE text LIKE '%Workflow%'"),
      [/^document sha256:[0-9a-f]{64}: is missing; it is the field document of event \d+ \(run\.created/],
    ],
    "an output that was changed, under both its names": [
      async (folder) => {
        const [name = ""] = await readdir(outputs(folder));
        await chmod(join(outputs(folder), name), 0o600);
        await appendFile(join(outputs(folder), name), "more");
      },
      [/^file weft-data:\/\/runs\/.*\.loud\.txt: its content differs from the record \(sha256 [0-9a-f]{64}/],
    ],
    "an output that was taken away": [
      (folder) => rm(outputs(folder), { recursive: true }),
      [/^file .*outputs\/one\.loud\.txt: is missing/, /^file .*outputs\/two\.loud\.txt: is missing/],
    ],
  };
  for (const [what, [tamper, expected]] of Object.entries(cases))
    it(`finds ${what}`, async () => {
      const texts = (await inCopy(tamper)).findings.map(findingText).join("\n");
      for (const pattern of expected) assert.match(texts, new RegExp(pattern, "m"));
    });

  it("finds an input that was changed", async () => {
    const data = join(root, "other-catalog");
    await cp(catalogFolder, data, { recursive: true });
    await writeFile(join(data, "data/one.txt"), "1\n");
    const { findings } = await inCopy(() => {}, { dataFolders: { catalog: data } });
    assert.deepEqual(columns(findings, "kind", "subject"), [["file-changed", "file weft-data://catalog/data/one.txt"]]);
  });

  it("counts the files that it could not read", async () => {
    const { findings, filesUnchecked } = await inCopy(() => {}, { dataFolders: {} });
    assert.deepEqual([findings, filesUnchecked], [[], 2]);
    assert.equal((await inCopy(() => {}, { withFiles: false })).filesChecked, 0);
  });

  it("detects by a recorded head that the log was cut or rewritten", async () => {
    const { head } = await inCopy(() => {});
    const cut = await inCopy(sql(`DELETE FROM events WHERE seq = ${await lastSeq()}`), { expected: head });
    assert.deepEqual(cut.findings.map(findingText), [`event ${head.seq}: is missing`]);
    const rewritten = await inCopy(() => {}, { expected: { ...head, hash: "0".repeat(64) } });
    assert.deepEqual(rewritten.findings.map(findingText), [`event ${head.seq}: is not the one whose hash was noted`]);
  });

  it("refuses a folder without a log, and one of another version", async () => {
    const nothing = { ...ALL, stateFolder: join(root, "nothing"), dataFolders: {} };
    await assert.rejects(verifyState(nothing), /there is no Weft state folder/);
    await assert.rejects(inCopy(sql("PRAGMA user_version = 1")), /written by an older version of Weft/);
    await assert.rejects(inCopy(sql("PRAGMA user_version = 1000")), /written by a newer version of Weft/);
  });
});
