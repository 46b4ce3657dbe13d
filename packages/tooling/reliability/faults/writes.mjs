// The n-th write, or sync, of the log fails, for each n in turn. Every event that was reported as durable exists
// afterwards, without gaps in the numbers, and the log continues.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const APPEND = fileURLToPath(new URL("./append-a-run.mjs", import.meta.url));
const KINDS = [
  ["pwrite64", "ENOSPC"],
  ["pwrite64", "EIO"],
  ["fsync,fdatasync", "EIO"],
  ["ftruncate", "EIO"],
];

/** Returns the total number of calls that failed. */
export async function failedWrites(site, { every }) {
  let failed = 0;
  for (const [calls, error] of KINDS)
    for (let n = 1; await isConsistentAfter(site, { calls, error, n }); n += every) failed += 1;
  site.expect(failed > 0, "no call has failed");
  return `${failed} calls`;
}

/** False if the run made fewer calls, so that nothing failed. */
async function isConsistentAfter(site, { calls, error, n }) {
  const { DatabaseSync } = await import("node:sqlite");
  const folder = mkdtempSync(join(site.folder, "writes-"));
  const database = join(folder, "weft.db");
  const trace = join(folder, "trace");
  const files = ["", "-wal", "-shm"].flatMap((end) => ["-P", `${database}${end}`]);
  const injection = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}:when=${n}`];
  const strace = ["strace", "-f", "-o", trace, ...files, ...injection];
  const first = spawnSync(strace[0], [...strace.slice(1), process.execPath, APPEND, database], { encoding: "utf8" });
  if (!readFileSync(trace, "utf8").includes("INJECTED")) return false;
  const acknowledged = first.stdout
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
  const name = `${calls} ${error} ${n}`;
  const again = spawnSync(process.execPath, [APPEND, database], { encoding: "utf8" });
  // If the run exists already, the log refuses its first event.
  const continues = again.status === 0 || /UNIQUE constraint failed/.test(again.stderr);
  site.expect(continues, `${name}: the log does not continue: ${again.stderr.trim().split("\n").at(-1)}`);
  const db = new DatabaseSync(database);
  const seqs = db
    .prepare("SELECT seq FROM events ORDER BY seq")
    .all()
    .map(({ seq }) => seq);
  site.expect(
    seqs.every((seq, index) => seq === index + 1),
    `${name}: the numbers of events have a gap`,
  );
  site.expect(
    acknowledged.every((seq) => seqs.includes(seq)),
    `${name}: an event that was reported as durable is missing`,
  );
  site.expect(db.prepare("PRAGMA integrity_check").get().integrity_check === "ok", `${name}: the database is damaged`);
  db.close();
  rmSync(folder, { recursive: true });
  return true;
}
