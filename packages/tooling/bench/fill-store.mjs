// node fill-store.mjs STATE RUNS JOBS [outputs], on the pinned Node: makes a state folder with RUNS finished runs of JOBS
// jobs each. Runs nothing, only appends their events to the log. With `outputs`, the files of jobs are outputs of their run.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LOG_FEATURES } from "@weft/engine/app/features.ts";
import { EventAppender } from "@weft/engine/journal/append-events.ts";
import { openForWriting } from "@weft/engine/journal/open-database.ts";
import { RunIds } from "@weft/engine/runs/begin/run-ids.ts";
import { runEvents } from "../reliability/run-events.mjs";

const BATCH = 5000;
const [folder, runs, jobs, outputs] = process.argv.slice(2);
const hasOutputs = outputs === "outputs";
mkdirSync(folder, { recursive: true, mode: 0o700 });
const db = openForWriting(join(folder, "weft.db"), "fast", LOG_FEATURES);
const appender = new EventAppender(db, () => ({
  read: () => ({ nowMs: Date.now(), movedMs: 0 }),
  offsetMs: 0,
}));
const ids = new RunIds(undefined);
let batch = [];

for (let run = 0; run < Number(runs); run++) {
  for (const event of runEvents({ runId: ids.next(), name: `run ${run}`, jobs: Number(jobs), hasOutputs })) {
    if (batch.push(event) === BATCH) flush();
  }
}
flush();
db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
db.close();

function flush() {
  appender.appendAll([batch]);
  batch = [];
}
