// node fill-lineage.mjs STATE UNRELATED, on the pinned Node: makes a state folder with a chain of runs, each of which used the
// outputs of the previous one, and about UNRELATED other runs; nothing is run. Each run has FILES occurrences of files.
// The last run of the chain comes last. Prints `{run, checksum, sha256, name}` of a file in the middle of the chain.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LOG_FEATURES } from "@weft/engine/app/features.ts";
import { EventAppender } from "@weft/engine/journal/append-events.ts";
import { openForWriting } from "@weft/engine/journal/open-database.ts";
import { RunIds } from "@weft/engine/runs/begin/run-ids.ts";
import { runEvents } from "../reliability/run-events.mjs";

const FILES = 1000;
const CHAIN = 10;
const JOBS = 10;
/** A quarter each: inputs and outputs of the run, and inputs and outputs of its jobs. */
const SIDE = FILES / 4;

const [folder, unrelated] = process.argv.slice(2);
mkdirSync(folder, { recursive: true, mode: 0o700 });
const db = openForWriting(join(folder, "weft.db"), "fast", LOG_FEATURES);
// Each run of the chain is requested when the previous one has ended.
let nowMs = Date.now() - 24 * 60 * 60 * 1000;
const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: nowMs++, movedMs: 0 }), offsetMs: 0 }));
const ids = new RunIds(undefined);
const chain = [];

const between = Math.floor(Number(unrelated) / CHAIN);
for (let link = 0; link < CHAIN; link++) {
  chain.push(addRun(`chain-${link - 1}`, `chain-${link}`));
  for (let other = 0; other < between; other++) addRun(`in-${link}-${other}`, `out-${link}-${other}`);
}
db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
db.close();
const { checksum, sha256, name } = occurrence(`chain-${CHAIN / 2}`, 7, "any");
console.log(JSON.stringify({ run: chain[CHAIN / 2], checksum, sha256, name }));

/** Adds a run that has read the files with the prefix `given` and written those with the prefix `made`. Returns its id. */
function addRun(given, made) {
  const runId = ids.next();
  const inputs = filesOf(given, `weft-data://data/${given}`);
  const outputs = filesOf(made, `weft-data://runs/${runId}/jobs`);
  const published = outputs.map((file) => ({
    ...file,
    uri: file.uri.replace("/jobs/", "/outputs/"),
    source_uri: file.uri,
  }));
  const events = [...runEvents({ runId, name: made, jobs: JOBS })].flatMap((event) => {
    const { type, data } = event;
    if (type === "job.started") return [withFiles(event, partOf(inputs, event))];
    if (type === "job.ended") return [withFiles(event, partOf(outputs, event))];
    if (type === "run.ended") return [withFiles(event, published)];
    if (type === "run.created")
      return [event, { ...event, type: "run.inputs", actor: "engine", data: { files: inputs }, blobs: [] }];
    return [{ ...event, data }];
  });
  appender.appendAll([events]);
  return runId;
}

function withFiles(event, files) {
  return { ...event, data: { ...event.data, files } };
}

/** The files of one job: `work-3` has the third tenth. */
function partOf(files, { job_id: jobId }) {
  const part = Number(jobId.split("-").at(-1)) - 1;
  return files.slice((part * SIDE) / JOBS, ((part + 1) * SIDE) / JOBS);
}

function filesOf(prefix, uri) {
  return Array.from({ length: SIDE }, (_, index) => occurrence(prefix, index, uri));
}

function occurrence(prefix, index, uri) {
  const name = `${prefix}-${index}.nii`;
  const digest = (algorithm) => createHash(algorithm).update(name).digest("hex");
  return {
    port: "image",
    place: `[${index}]`,
    name,
    uri: `${uri}/${name}`,
    checksum: `sha1$${digest("sha1")}`,
    sha256: digest("sha256"),
    size: 1000 + index,
  };
}
