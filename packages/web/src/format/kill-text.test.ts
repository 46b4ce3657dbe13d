import assert from "node:assert/strict";
import { test } from "node:test";
import type { KillReport } from "@weft/shared/records/kill-record.ts";
import { formatClockTime } from "./format-time.ts";
import { abortedJobsText, killText } from "./kill-text.ts";

const at = "2026-11-21T12:00:00.120Z";
const kill: KillReport = {
  ...{ asked_at: at, signals: ["SIGTERM"], processes_found: 4, processes_killed: 1, confirmed_at: at },
  evidence: ["scans", "cgroup"],
};

test("killText says what was ended and how that is known", () => {
  const since = `nothing is left since ${formatClockTime(at)}`;
  const scans = "three looks in a row at all processes found none of it";
  const cases: [Partial<KillReport>, string][] = [
    [
      {},
      `4 processes were ended, 1 of them by force; ${since}: ${scans}, and the kernel says that its control group is empty.`,
    ],
    [
      { processes_found: 1, processes_killed: 1, evidence: ["scans"] },
      `One process was ended by force; ${since}: ${scans}.`,
    ],
    [{ processes_killed: 0, evidence: [] }, `4 processes were ended, within the time that they were given; ${since}.`],
    [
      { processes_found: 0, processes_killed: 0, confirmed_at: null },
      "No process was left to end; it is not proven yet that nothing is left.",
    ],
  ];
  for (const [change, expected] of cases) assert.equal(killText({ ...kill, ...change }), expected);
});

test("abortedJobsText counts what was ended and what never started", () => {
  const abort = {
    ...{ requested_at: at, requested_by: "ann", confirmed_at: at, outstanding_jobs: [], jobs: [], evidence: [] },
    ...{ processes_found: 0, processes_killed: 0 },
  };
  const cases: [number, number, string][] = [
    [0, 0, "No job had to be ended"],
    [1, 0, "One job was ended"],
    [2, 3, "2 jobs were ended, 3 had not started"],
    [0, 3, "No job had to be ended, 3 had not started"],
  ];
  for (const [jobs_ended, jobs_not_started, expected] of cases)
    assert.equal(abortedJobsText({ ...abort, jobs_ended, jobs_not_started }), expected);
});
