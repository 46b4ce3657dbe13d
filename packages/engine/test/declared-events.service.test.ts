import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { eventSchema } from "@weft/shared/events/event.ts";
import { rebuildTables } from "../src/journal/rebuild-tables.ts";
import { openLog } from "../src/app/open-log.ts";
import { foldedContent } from "../src/journal/testing/folded-content.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, catalogFile, TEST_CATALOG } from "./test-catalog.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { LOG_FEATURES } from "../src/app/features.ts";
import { runsOf } from "../src/testing/ask-runs.ts";

const whole = { features: LOG_FEATURES };

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);
const texts = ["one.txt", "two.txt"].map(catalogFile);

/** The schema drops fields that it does not declare: an event that stays as it is has none. */
function assertDeclared(events: readonly unknown[]): void {
  assert.ok(events.length > 0);
  for (const event of events) assert.deepEqual(eventSchema.parse(event), event);
}

describe("the declaration of events", () => {
  it("has every event and every field that a server writes, and the events restore its tables", async (t) => {
    const engine = await openTestEngine(root, { executor, retryDelaysMs: [0] });
    t.after(() => engine.stop("cancel"));
    const options = { retries: 1, keep_intermediate: "never" } as const;
    const done = await runToEnd(engine, {
      network: "shout-all",
      inputs: { texts },
      options,
      samples: { texts: ["a", "b"] },
    });
    const { run_id: again } = await engine.runs.reproduce(caller, done.run_id, {});
    await runsOf(engine).describe(caller, again, { name: "Again", note: "once more", tags: { by: "me" } });
    await runsOf(engine).pause(caller, again);
    await runsOf(engine).resume(caller, again);
    await untilRun(engine, again, ({ reproduction }) => reproduction?.verdict != null);
    await runToEnd(engine, { network: "shout-all", inputs: { texts } });
    await runToEnd(engine, { network: "act-all", inputs: { hows: ["0", "3"] }, options });
    const hung = await startRun(engine, { network: "act-all", inputs: { hows: ["hang"] } });
    await untilRun(engine, hung, ({ job_counts: counts }) => counts.RUNNING === 1);
    await engine.runs.abort(caller, hung, 10_000);
    await endedRun(engine, hung);
    await engine.files.upload(caller, "up.txt", Readable.from([Buffer.from("up")]));
    await ask(engine, "POST /api/prune", { caller, body: { uploads: true, older_than_ms: 0 } });
    await ask(engine, "POST /api/prune", { caller, body: { run_id: done.run_id, parts: ["outputs", "logs"] } });
    const { events } = engine.events.page(caller, { pageSize: 10_000 });
    assertDeclared(events);
    const written = new Set<string>(events.map(({ type }) => type));
    for (const type of [
      "run.compared",
      "run.measured",
      "run.pruned",
      "run.paused",
      "run.described",
      "job.retrying",
      "job.killed",
      "upload.pruned",
    ])
      assert.ok(written.has(type), type);
    await engine.stop("cancel");
    const database = join(root, "state", "weft.db");
    const before = foldedContent(database);
    await rebuildTables(database, { ...whole, always: true });
    assert.deepEqual(foldedContent(database), before);
  });

  it("has every event of a log of version 11", async () => {
    const path = join(root, "v11.db");
    const golden = new URL("../src/journal/testing/golden-v11.sql", import.meta.url);
    {
      using db = new DatabaseSync(path);
      db.exec(readFileSync(golden, "utf8"));
    }
    const journal = await openLog(path, "fast");
    assertDeclared(journal.read.events({ since: 0, limit: 10_000 }));
    await journal.close();
  });
});
