// npx node packages/tooling/reliability/boundaries.mjs [--every N] [--from N]: kills a working server (SIGKILL) at the
// boundaries between the events of one run, each in turn: at the moment when the commit that made the first, the
// second, … event durable returns, before any client receives it. The next server finishes that run and is killed
// one boundary later in the next run.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CrashStudy } from "./crash-study.mjs";
import { numbersFrom } from "./command-numbers.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";

/** The last event of a run, after its end. */
const LAST = "run.measured";
const PRELOAD = fileURLToPath(new URL("./kill-after-commit.mjs", import.meta.url));

onPinnedNode();
// A dynamic import, because an older Node does not have this module.
const { DatabaseSync } = await import("node:sqlite");
const { every, from } = numbersFrom(process.argv.slice(2), { every: 1, from: 1 });
const study = new CrashStudy();
const killedAfter = [];

try {
  for (let events = from; ; events = killedAfter.at(-1).count + every) {
    const last = await crashAfter(events);
    if (last === undefined) break;
    killedAfter.push(last);
  }
  const faults = await study.judge();
  const types = Map.groupBy(killedAfter, ({ type }) => type);
  const places = [...types].map(([type, { length }]) => `${type} ${length}`).join(", ");
  console.log(`boundaries: ${killedAfter.length} kills, each after another event of a run: ${places}`);
  study.print("boundaries", faults);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  study.remove();
}

/** The last event of the run that was durable when the server was killed; undefined if the run has fewer events. */
async function crashAfter(events) {
  const token = `run-${events}`;
  const server = study.launch({
    nodeArgs: ["--import", PRELOAD],
    env: { WEFT_KILL_RUN: token, WEFT_KILL_EVENTS: String(events) },
  });
  const ended = Promise.withResolvers();
  const hear = ({ type, run_id: runId }) => {
    if (type === LAST && runId === study.acknowledged.get(token)) ended.resolve(undefined);
  };
  const working = study.work(server, token, { hear, mayPost: (address) => study.waitForEnds(address) });
  await Promise.race([server.exit, ended.promise, working]);
  await server.stop("SIGKILL");
  await working;
  const last = lastEventOf(token);
  return last.isOver && last.count < events ? undefined : last;
}

function lastEventOf(token) {
  const db = new DatabaseSync(join(study.stateFolder, "weft.db"), { readOnly: true });
  const ofRun = "FROM events WHERE run_id = (SELECT run_id FROM runs WHERE name = ?)";
  const { type } = db.prepare(`SELECT type ${ofRun} ORDER BY seq DESC LIMIT 1`).get(token);
  const types = db.prepare(`SELECT count(*) AS count, sum(type = '${LAST}') AS last ${ofRun}`).get(token);
  db.close();
  return { type, count: types.count, isOver: types.last > 0 };
}
