import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobSelector } from "../executor.ts";
import { launchAt } from "../testing/launch.ts";
import { JobGuard, type JobLimits } from "./job-guard.ts";

const MIB = 1024 ** 2;
const LIMITS: JobLimits = {
  ...{ jobProcesses: 100, jobOpenFiles: 10, jobLogBytes: 5 * MIB, diskReserveBytes: 1000 * MIB },
};

const launch = (jobId: string) => launchAt(`/${jobId}`, { jobId });

/** A machine whose figures the test sets, and the jobs that the guard has ended there. */
function guarded(limits: Partial<JobLimits> = {}) {
  const sizes: Readonly<Record<string, number>> = {};
  const machine = { nowMs: 0, freeMib: 100_000, totalMib: 200_000, files: sizes, folders: sizes };
  const killed: (JobSelector["job"] | undefined)[] = [];
  const guard = new JobGuard({
    limits: { ...LIMITS, ...limits },
    machine: {
      fileBytes: async (path) => (machine.files[path] ?? 0) * MIB,
      folderBytes: async (path) => (machine.folders[path] ?? 0) * MIB,
      disk: async () => ({ freeBytes: machine.freeMib * MIB, totalBytes: machine.totalMib * MIB }),
    },
    kill: async ({ job }) => killed.push(job),
    now: () => machine.nowMs,
  });
  const [a, b] = [launch("a"), launch("b")];
  guard.watch(a, 1);
  guard.watch(b, 2);
  const look = async (figures: Partial<typeof machine>) => {
    Object.assign(machine, figures, { nowMs: machine.nowMs + 1000 });
    await guard.look();
  };
  const ended = () => killed.map((job) => job?.jobId);
  return { guard, a, b, look, ended };
}

describe("a job that takes too much", () => {
  it("is ended once, when it has more processes than allowed", () => {
    const { guard, a, b, ended } = guarded();
    guard.seen(1, { bytes: 0, tasks: 100 });
    assert.deepEqual(ended(), []);
    for (const tasks of [101, 500]) guard.seen(1, { bytes: 0, tasks });
    assert.deepEqual(ended(), ["a"]);
    assert.equal(guard.end(b), undefined);
    const cause = guard.end(a);
    assert.equal(cause?.code, "LIMIT_EXCEEDED");
    assert.match(cause.message, /had 101 processes; at most 100 .*job-processes/);
    assert.match(cause.hint, /--limit job-processes=/);
  });

  it("is not mistaken for the next job of its wrapper", () => {
    const { guard, a, ended } = guarded();
    const next = launch("next");
    guard.watch(next, 1);
    guard.end(a);
    guard.seen(1, { bytes: 0, tasks: 101 });
    assert.deepEqual(ended(), ["next"]);
    guard.end(next);
    guard.seen(1, { bytes: 0, tasks: 101 });
    assert.deepEqual(ended(), ["next"]);
  });

  for (const name of ["stdout", "stderr"])
    it(`is ended when its log of ${name} is too large, and not for large outputs`, async () => {
      const { look, ended } = guarded();
      await look({ files: { [`/a/${name}`]: 5, "/b/out/stderr": 900 } });
      assert.deepEqual(ended(), []);
      await look({ files: { [`/a/${name}`]: 6 } });
      assert.deepEqual(ended(), ["a"]);
    });

  it("is ended when it fills the disk, and its files are removed, even if another job has more", async () => {
    const { guard, a, look, ended } = guarded();
    await look({ freeMib: 1900, folders: { "/a": 100, "/b": 50_000 } });
    await look({ freeMib: 1100, folders: { "/a": 900, "/b": 50_000 } });
    assert.deepEqual(ended(), []);
    await look({ freeMib: 900, folders: { "/a": 1100, "/b": 50_001 } });
    assert.deepEqual(ended(), ["a"]);
    const cause = guard.end(a);
    assert.equal(cause?.clearsFiles, true);
    assert.match(cause.message, /had grown to 1100 MiB, and 900 MiB were left/);
  });

  it("is not blamed for a disk that other programs fill, or that is small", async () => {
    const { look, ended } = guarded();
    await look({ freeMib: 900, folders: { "/a": 100, "/b": 50_000 } });
    await look({ freeMib: 10, folders: { "/a": 110, "/b": 50_010 } });
    assert.deepEqual(ended(), []);
    const small = guarded();
    await small.look({ freeMib: 900, totalMib: 4000, folders: { "/a": 0 } });
    await small.look({ freeMib: 800, folders: { "/a": 100 } });
    assert.deepEqual(small.ended(), []);
  });

  it("may fill a disk without a reserve", async () => {
    const { look, ended } = guarded({ diskReserveBytes: 0 });
    await look({ freeMib: 1, folders: { "/a": 0 } });
    await look({ freeMib: 1, folders: { "/a": 1000 } });
    assert.deepEqual(ended(), []);
  });
});
