// Faults of the disk that holds the state folder, and of other programs that use it.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { randomFrom } from "../random-from.mjs";
import { eventually } from "./fault-site.mjs";

const FULL_MS = 700;
const KIB = 1024;
/** Duration of a write while the database is locked: the server waits 5 s, and a busy machine adds delays. */
const LOCKED_MS = { atLeast: 4500, atMost: 30_000 };
const DISK_END = 74;
const LONGEST_END_MS = 60_000;

/**
 * A small disk is filled to random levels repeatedly: every run ends with the correct state, and aborts are
 * accepted.
 */
export async function fullDisk(site, { rounds }) {
  const disk = join(site.folder, "disk");
  mkdirSync(disk);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "none", disk]).status !== 0) return "skipped: it needs root";
  site.stateFolder = join(disk, "state");
  try {
    await site.start();
    const random = randomFrom(1);
    for (let round = 0; round < rounds; round++) await fillOnce(site, { disk, random });
    site.expect((await site.server.stop("SIGTERM")).code === 0, "the server did not stop cleanly");
    site.expect(integrityOf(site) === "ok", `the integrity check of the database reports: ${integrityOf(site)}`);
    return undefined;
  } finally {
    await site.server?.stop("SIGKILL");
    spawnSync("umount", ["-l", disk]);
  }
}

async function fillOnce(site, { disk, random }) {
  const [kept, aborted] = [await site.run("sleep 0.4; echo kept"), await site.run("sleep 60")];
  await site.untilRunning(aborted);
  fill(join(disk, "filler"), Math.floor(random() * 64) * 4 * KIB);
  const { status, code, runId, headers } = await site.post("echo posted on a full disk");
  const isRefused = status === 503 && code === "disk-full" && headers.has("retry-after");
  site.expect(status === 201 || isRefused, `a new run on a full disk got the answer ${status} ${code}`);
  const { status: deleted } = await fetch(`${site.address}/api/runs/${aborted}`, { method: "DELETE" });
  site.expect(deleted === 204 || deleted === 202, `an abort on a full disk got the answer ${deleted}`);
  site.expect((await site.statusOf("/api/runs")) === 200, "runs cannot be listed on a full disk");
  await pause(random() * FULL_MS);
  rmSync(join(disk, "filler"));
  await eventually("the disk to recover", async () => (await site.storage()) === "ok");
  site.expect((await site.untilFinal(aborted)).state === "CANCELED", "an aborted run is not CANCELED");
  for (const id of [kept, runId]) if (id !== undefined) await judgeEnd(site, id);
}

/** The run must be COMPLETE with the expected output, or must have failed with a reason. */
async function judgeEnd(site, runId) {
  const { state, state_reason: reason, outputs } = await site.untilFinal(runId);
  if (state !== "COMPLETE")
    return site.expect(reason !== null, `a run on a full disk ended as ${state} without a reason`);
  const answer = await fetch(new URL(outputs.text.location, site.address));
  const text = await answer.text();
  const isCorrect =
    outputs.text.checksum === `sha1$${createHash("sha1").update(text).digest("hex")}` && text.endsWith("\n");
  return site.expect(isCorrect, `a run is COMPLETE, but its output is "${text}"`);
}

/** Fills the disk except for this many bytes. */
function fill(path, leaveBytes) {
  const file = openSync(path, "w");
  try {
    for (const chunk = Buffer.alloc(4 * KIB, 1); ;) writeSync(file, chunk);
  } catch {
    ftruncateSync(file, Math.max(0, statSync(path).size - leaveBytes));
  } finally {
    closeSync(file);
  }
}

/** Another program locks the database: reads continue, writes wait 5 s and are refused, past events are kept. */
export async function lockedDatabase(site) {
  const { DatabaseSync } = await import("node:sqlite");
  await site.start();
  const runId = await site.run("sleep 0.5; echo done");
  await site.untilRunning(runId);
  const db = new DatabaseSync(join(site.stateFolder, "weft.db"), { timeout: 5000 });
  db.exec("BEGIN IMMEDIATE");
  const startMs = performance.now();
  const { status, code, headers } = await site.post("echo refused");
  const tookMs = performance.now() - startMs;
  site.expect(
    status === 503 && code === "database-locked" && headers.has("retry-after"),
    `a new run got the answer ${status} ${code}`,
  );
  const { atLeast, atMost } = LOCKED_MS;
  site.expect(tookMs > atLeast && tookMs < atMost, `a write waited ${Math.round(tookMs)} ms`);
  site.expect(
    (await site.get(`/api/runs/${runId}/status`)).state === "RUNNING",
    "a run ended although its end could not be recorded",
  );
  db.exec("ROLLBACK");
  db.close();
  site.expect(
    (await site.untilFinal(runId)).state === "COMPLETE",
    "the run did not complete after the lock was released",
  );
  site.expect((await site.storage()) === "ok", "the lock is still reported");
}

/**
 * A sync fails: the server stops writing, answers reads and exits with 74; its job continues, and the next start
 * reattaches to it.
 */
export async function failedSync(site) {
  await site.start();
  const runId = await site.run("sleep 3; echo done");
  await site.untilRunning(runId);
  const tracer = await inject(site, { calls: "fsync,fdatasync", error: "EIO", paths: ["weft.db-wal"] });
  const { status, code } = await site.post("echo refused", { key: "posted-when-the-disk-failed" });
  site.expect(status === 503 && code === "storage-failed", `a new run got the answer ${status} ${code}`);
  site.expect((await site.storage()) === "failed", "the failure is not reported");
  site.expect((await site.statusOf(`/api/runs/${runId}`)) === 200, "a run can no longer be read");
  site.expect((await site.statusOf("/readyz")) === 503, "the server reports that it is ready");
  const end = await Promise.race([site.server.exit, pause(LONGEST_END_MS, undefined, { ref: false })]);
  site.expect(end?.code === DISK_END, `the exit code of the server is ${end?.code ?? "not known: it still runs"}`);
  await tracer.stop();
  await site.start();
  site.expect((await site.untilFinal(runId)).state === "COMPLETE", "the run did not complete with the next server");
  site.expect((await site.job(runId)).attempts.length === 1, "its job ran twice");
}

/** The folder becomes read-only for a while. */
export async function readOnlyFolder(site) {
  await site.start();
  const runId = await site.run("sleep 1; echo done");
  await site.untilRunning(runId);
  const tracer = await inject(site, { calls: "pwrite64,openat", error: "EROFS", paths: ["weft.db-wal", "probe"] });
  const { status, code, headers } = await site.post("echo refused");
  const isRefused = status === 503 && code === "state-read-only" && headers.has("retry-after");
  site.expect(isRefused, `a new run got the answer ${status} ${code}`);
  await pause(1500);
  site.expect(
    (await site.get(`/api/runs/${runId}/status`)).state === "RUNNING",
    "a run ended although its end could not be recorded",
  );
  await tracer.stop();
  site.expect((await site.untilFinal(runId)).state === "COMPLETE", "the run did not complete afterwards");
  site.expect((await site.run("echo next")) !== undefined, "no new run is accepted afterwards");
}

/** Makes the running server's system calls on these files of the state folder fail until `stop` is called. */
async function inject(site, { calls, error, paths }) {
  const files = paths.flatMap((name) => ["-P", join(site.stateFolder, name)]);
  const injection = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}`];
  const tracer = spawn("strace", ["-f", "-p", String(site.server.pid), ...files, ...injection], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => tracer.once("exit", resolve));
  await new Promise((resolve, reject) => {
    tracer.stderr.on("data", (text) => /attached/.test(text) && resolve());
    tracer.once("exit", () => reject(new Error("strace cannot attach to a process")));
  });
  return {
    async stop() {
      tracer.kill("SIGTERM");
      await ended;
    },
  };
}

function integrityOf(site) {
  const { stdout } = spawnSync(process.execPath, ["-e", INTEGRITY, join(site.stateFolder, "weft.db")], {
    encoding: "utf8",
  });
  return stdout.trim();
}

const INTEGRITY =
  'console.log(new (require("node:sqlite").DatabaseSync)(process.argv[1]).prepare("PRAGMA integrity_check").get().integrity_check)';
