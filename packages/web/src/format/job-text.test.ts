import assert from "node:assert/strict";
import { test } from "node:test";
import type { KillReport } from "@weft/shared/records/kill-record.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import { formatClockTime } from "./format-time.ts";
import { abortedJobsText, cacheReason, killText, sandboxText } from "./job-text.ts";

const at = "2026-11-21T12:00:00.120Z";
const kill: KillReport = {
  ...{ asked_at: at, signals: ["SIGTERM"], processes_found: 4, processes_killed: 1, confirmed_at: at },
  evidence: ["scans", "cgroup"],
};

const cases: readonly (readonly [JobSandbox, string])[] = [
  [{ kind: "bubblewrap", version: "0.8.0", network: false }, "bubblewrap 0.8.0, no network"],
  [{ kind: "bubblewrap", version: "0.8.0", network: true }, "bubblewrap 0.8.0, network access"],
  [{ kind: "none", why: "bubblewrap is not installed" }, "none: bubblewrap is not installed"],
];

const job = { run_id: "r", run_name: "Cohort", job_id: "smooth-0", url: "" };
const reason = "the result of job smooth-0 of run r is still valid";

test("killText says which processes stopped, and the evidence", () => {
  const since = `verified at ${formatClockTime(at)}`;
  const scans = "three scans of all processes found none";
  const cases: [Partial<KillReport>, string][] = [
    [{}, `4 processes stopped, 1 of them killed; ${since}: ${scans}, the control group is empty.`],
    [{ processes_found: 1, processes_killed: 1, evidence: ["scans"] }, `1 process killed; ${since}: ${scans}.`],
    [{ processes_killed: 0, evidence: [] }, `4 processes exited cleanly; ${since}.`],
    [
      { processes_found: 0, processes_killed: 0, confirmed_at: null },
      "No processes were running; not yet verified that all have stopped.",
    ],
  ];
  for (const [change, expected] of cases) assert.equal(killText({ ...kill, ...change }), expected);
});

test("abortedJobsText counts jobs that were ended and jobs that never started", () => {
  const abort = {
    ...{ requested_at: at, requested_by: "ann", confirmed_at: at, outstanding_jobs: [], jobs: [], evidence: [] },
    ...{ processes_found: 0, processes_killed: 0 },
  };
  const cases: [number, number, string][] = [
    [0, 0, "No jobs were running"],
    [1, 0, "1 job stopped"],
    [2, 3, "2 jobs stopped, 3 had not started"],
    [0, 3, "No jobs were running, 3 had not started"],
  ];
  for (const [jobs_ended, jobs_not_started, expected] of cases)
    assert.equal(abortedJobsText({ ...abort, jobs_ended, jobs_not_started }), expected);
});
for (const [sandbox, text] of cases)
  test(`describes a sandbox as ${text}`, () => assert.equal(sandboxText(sandbox), text));

test("cacheReason names the run whose result was reused", () => {
  assert.equal(
    cacheReason({ decision: "hit", reason, diff: [], job }),
    "the result of job smooth-0 in run Cohort is still valid",
  );
  assert.equal(cacheReason({ decision: "hit", reason, diff: [] }), reason);
  assert.equal(cacheReason({ decision: "miss", reason: "no earlier result", diff: [], job }), "no earlier result");
});
