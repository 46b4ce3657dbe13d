// Checks Weft's promises after any number of crashes, based on the acknowledged runs, the log and the marks of commands.

/**
 * `acknowledged`: token → run id that POST returned; `runs`: all existing runs, as `{run_id, name, state}`;
 * `marks`: lines that commands wrote; `expectedMarks(token)`: lines that they should have written; `events`: the whole log;
 * `heard`: seq → the event as a stream sent it before a crash; `outputs`: id → whether the output of the run is correct.
 * Returns one sentence per fault.
 */
export function judgeCrash(found) {
  return [...runFaults(found), ...markFaults(found), ...eventFaults(found), ...endFaults(found)];
}

function runFaults({ acknowledged, runs, outputs }) {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const named = Map.groupBy(runs, (run) => run.name);
  const lost = [...acknowledged].filter(([, id]) => !byId.has(id)).map(([token]) => `the run ${token} is lost`);
  const duplicated = [...named].filter(([, same]) => same.length > 1).map(([name]) => `the run ${name} exists twice`);
  const stuck = runs
    .filter(({ state }) => state !== "COMPLETE")
    .map(({ name, state }) => `the run ${name} is ${state}`);
  const wrong = runs
    .filter(({ run_id, state }) => state === "COMPLETE" && outputs.get(run_id) !== true)
    .map(({ name }) => `the outputs of ${name} are wrong`);
  return [...lost, ...duplicated, ...stuck, ...wrong];
}

function markFaults({ runs, marks, expectedMarks }) {
  const counts = new Map();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const expected = new Set(runs.flatMap(({ name }) => expectedMarks(name)));
  const never = [...expected].filter((mark) => !counts.has(mark)).map((mark) => `the command "${mark}" never ran`);
  const repeated = [...counts].filter(([, count]) => count > 1).map(([mark, count]) => `"${mark}" ran ${count} times`);
  const unknown = [...counts.keys()].filter((mark) => !expected.has(mark)).map((mark) => `"${mark}" belongs to no run`);
  return [...never, ...repeated, ...unknown];
}

function eventFaults({ events, heard }) {
  const gaps = events
    .filter(({ seq }, index) => seq !== index + 1)
    .slice(0, 1)
    .map(({ seq }) => `the events have a gap before ${seq}`);
  const texts = new Map(events.map((event) => [event.seq, JSON.stringify(event)]));
  const changed = [...heard]
    .filter(([seq, text]) => texts.get(seq) !== text)
    .map(([seq]) => `event ${seq} was received before the crash, and the log differs from it now`);
  return [...gaps, ...changed];
}

/** Events about the files of a finished run, and about a job that nothing waited for. */
const AFTER_THE_END = new Set(["job.late", "run.measured", "run.pruning", "run.pruned"]);

/** Each run and each job must end once, and a run must do nothing after its end. */
export function endFaults({ events }) {
  const faults = [];
  const ended = new Set();
  for (const { type, run_id: runId, job_id: jobId, seq } of events) {
    if (runId !== null && ended.has(runId) && !AFTER_THE_END.has(type))
      faults.push(`event ${seq} (${type}) comes after its run's end`);
    if (type === "run.ended") ended.add(runId);
    if (type !== "job.ended") continue;
    const job = `${runId}/${jobId}`;
    if (ended.has(job)) faults.push(`the job ${job} ended twice`);
    ended.add(job);
  }
  return faults;
}
