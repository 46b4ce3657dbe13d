/**
 * Deliberate bugs of the engine, each as one replacement in one source below packages/engine/src. `npm run simulate -- --mutations`
 * applies each to a copy and looks for a seed that notices.
 */
export const MUTATIONS = [
  {
    name: "the log is not synced",
    file: "journal/open-database.ts",
    from: `durability === "full" ? "FULL" : "OFF"`,
    to: `"NORMAL"`,
  },
  {
    name: "a failed commit uses up event numbers",
    file: "journal/append-events.ts",
    from: `      this.#head = before;\n`,
    to: ``,
  },
  {
    name: "a failed commit counts jobs",
    file: "journal/append-events.ts",
    from: `      this.#tally.forget();\n`,
    to: ``,
  },
  {
    name: "facts are refused on a full disk",
    file: "journal/storage/group-writer.ts",
    from: `this.#refuse([...left, ...beginnings], "full", isAsked)`,
    to: `this.#refuse([...left, ...beginnings], "full")`,
  },
  {
    name: "a run ends while jobs wait",
    file: "runs/drive/run-driver.ts",
    from: `return this.#jobs.waiting === 0 && !this.#pending;`,
    to: `return !this.#pending;`,
  },
  {
    name: "a lost attempt is repeated under its number",
    file: "runs/drive/run-jobs.ts",
    from: `isGone || found === "unstarted" ? { ...first, attempt: first.attempt + 1 } : first`,
    to: `first`,
  },
  {
    name: "a job that runs is forgotten when another one has failed",
    file: "runs/drive/run-jobs.ts",
    from: `return !this.#startsNothing || startedBefore !== undefined;`,
    to: `return !this.#startsNothing || startedBefore === null;`,
  },
  {
    name: "a failed job keeps its slot",
    file: "runs/drive/run-jobs.ts",
    from: `      queued.release();\n`,
    to: ``,
  },
  {
    name: "an attempt is retried while its processes run",
    file: "runs/drive/job-retries.ts",
    from: `      await this.#endAttempt({ ...identity, attempt: identity.attempt - 1 });\n`,
    to: ``,
  },
  {
    name: "an attempt of an earlier server is given up while its processes run",
    file: "runs/drive/job-retries.ts",
    from: `    await this.#endAttempt(identity);\n`,
    to: ``,
  },
  {
    name: "published outputs are not synced",
    file: "runs/drive/end-run.ts",
    from: `      sync: services.sync,\n`,
    to: `      sync: false,\n`,
  },
  {
    name: "released resources stay in use",
    file: "schedule/scheduler.ts",
    from: `    this.#used = minus(this.#used, resources);\n`,
    to: ``,
  },
  {
    name: "nothing is reserved for jobs that others pass",
    file: "schedule/scheduler.ts",
    from: `queue.passed < 1) return;`,
    to: `queue.passed < 1000) return;`,
  },
  {
    name: "jobs with different inputs are equal",
    file: "jobs/cache/job-key.ts",
    from: `canonicalText(parts)`,
    to: `canonicalText({ ...parts, inputs: {} })`,
  },
  {
    name: "an old folder is used again",
    file: "jobs/prepare-command.ts",
    from: `  await removeBelowTrusted(folder);\n`,
    to: ``,
  },
  {
    name: "a job that ended in time has exceeded its limit",
    file: "jobs/wait-for-exit.ts",
    from: `hasEndedBefore(exit, kill) ? undefined : { seconds, kill }`,
    to: `{ seconds, kill }`,
  },
  {
    name: "an attempt that has not begun is not claimed",
    file: "executor/inspect-attempt.ts",
    from: `  if (takeClaim(folder)) return "unclaimed";\n  const claim = readClaim(folder);\n`,
    to: `  const claim = readClaim(folder);\n  if (claim === undefined) return "unclaimed";\n`,
  },
  {
    name: "nothing is killed by force",
    file: "executor/kill/end-processes.ts",
    from: `      this.#signal(found, "SIGKILL");\n`,
    to: ``,
  },
  {
    name: "notes of remote attempts are not synced",
    file: "executor/attempt-note.ts",
    from: `  for (const above of [folder, dirname(folder)]) await syncToDisk(above);\n`,
    to: ``,
  },
  {
    name: "Slurm: one empty look proves that nothing is left",
    file: "executor/slurm/cancel-tasks.ts",
    from: `return this.#empty >= EMPTY_SCANS;`,
    to: `return this.#empty >= 1;`,
  },
  {
    name: "Slurm: an attempt that has not begun is not claimed",
    file: "executor/slurm/slurm-executor.ts",
    from: `return takeClaim(folder) ? "unclaimed" : "reattach";`,
    to: `return "unclaimed";`,
  },
  {
    name: "TES: a task is posted again without a look",
    file: "executor/tes/post-task.ts",
    from: `const LOOKS = 2;`,
    to: `const LOOKS = 0;`,
  },
  {
    name: "TES: a server that says nothing has ended the task",
    file: "executor/tes/cancel-tasks.ts",
    from: `    if (listed.kind !== "answered") return;\n`,
    to: `    if (listed.kind !== "answered") return void (this.#confirmedMs = Date.now());\n`,
  },
  {
    name: "TES: a task that runs was never posted",
    file: "executor/tes/tes-executor.ts",
    from: `return found.kind === "answered" && found.value.length === 0 ? "unclaimed" : "reattach";`,
    to: `return found.kind === "answered" ? "unclaimed" : "reattach";`,
  },
  {
    name: "TES: nobody waits for files",
    file: "executor/tes/settle-attempt.ts",
    from: `  if (exit.kind === "exited" && exit.exitCode === 0) await untilArrived(launch, settling);\n`,
    to: ``,
  },
];
