import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { jobProcesses } from "./job-processes.ts";
import { stampOf } from "./job-stamp.ts";

const proc = temporaryFolder();

const first = { jobId: "a", attempt: 1 };
const second = { jobId: "b", attempt: 1 };
const STAMP = stampOf("r", first);

const has = (pid: number, { environ = "", stamp = "unlimited", state = "S" }) =>
  writeFiles(join(proc, String(pid)), {
    environ,
    limits: `Max file locks            ${stamp}  ${stamp}  locks\n`,
    stat: `${pid} (x) Z) ${state} 1 1\n`,
  });
const marked = (job: string, run = "r") => `A=1\0WEFT_RUN=${run}\0WEFT_JOB=${run}/${job}\0B=2\0`;
writeFiles(proc, { "self/": "" });
has(1, {});
has(11, { environ: marked("a/1"), stamp: String(STAMP) });
has(12, { environ: marked("b/1") });
has(13, { environ: "WEFT_RUN=r\0" });
has(14, { stamp: String(STAMP) });
has(15, { stamp: String(STAMP), state: "Z" });
// The environment says that the process belongs to another job, regardless of the stamp.
has(16, { environ: marked("b/1"), stamp: String(STAMP) });
// A run inside a job: its own environment, and the stamp of the job around it.
has(17, { environ: marked("x/1", "inner"), stamp: String(STAMP) });
has(18, { environ: marked("a/1", "rr") });
has(19, { environ: "X=WEFT_RUN=r\0", stamp: "1024" });

describe("jobProcesses", () => {
  it("finds all processes of a run by environment or stamp, except ended ones", () => {
    assert.deepEqual(
      jobProcesses({ runId: "r" }, proc).map(({ pid, job }) => [pid, job]),
      [
        [11, "a/1"],
        [12, "b/1"],
        [13, undefined],
        [14, undefined],
        [16, "b/1"],
        [17, undefined],
      ],
    );
  });

  it("finds only the processes of one attempt", () => {
    const pids = (job: typeof first) => jobProcesses({ runId: "r", job }, proc).map(({ pid }) => pid);
    assert.deepEqual(
      [pids(first), pids(second)],
      [
        [11, 14, 17],
        [12, 16],
      ],
    );
  });
});
