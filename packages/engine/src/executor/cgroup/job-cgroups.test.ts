import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CgroupFiles } from "./cgroup-files.ts";
import { JobCgroups } from "./job-cgroups.ts";
import { MemoryCgroups } from "./testing/memory-cgroups.ts";

const ATTEMPT = { runId: "r", jobId: "a.b-1", attempt: 2 };
const GROUP = "/g/r.a.b-1@2";

function open(
  groups: ConstructorParameters<typeof MemoryCgroups>[0] = {},
  counts = true,
  more: Partial<CgroupFiles> = {},
) {
  const kernel = new MemoryCgroups(groups);
  const files = { ...kernel.files, ...more };
  return { kernel, cgroups: new JobCgroups({ folder: "/g", countsMemory: counts, countsProcesses: counts, files }) };
}

describe("the control group of an attempt", () => {
  it("has the job's limit, and ends as a whole when that is reached", () => {
    const { kernel, cgroups } = open();
    assert.equal(cgroups.create(ATTEMPT, { ramBytes: 1000, processes: 50 }), `${GROUP}/cgroup.procs`);
    const limits = ["memory.max=1000", "memory.oom.group=1", "pids.max=50"];
    assert.deepEqual(
      kernel.written,
      limits.map((limit) => `${GROUP}/${limit}`),
    );
  });

  it("has no memory limit without a request of the tool, and no limits if the kernel does not count", () => {
    for (const [countsMemory, limit, written] of [
      [true, undefined, [`${GROUP}/pids.max=50`]],
      [false, 1000, []],
    ] as const) {
      const { kernel, cgroups } = open({}, countsMemory);
      cgroups.create(ATTEMPT, { ramBytes: limit, processes: 50 });
      assert.deepEqual(kernel.written, written);
    }
  });

  it("is skipped if it cannot be created", () => {
    const { kernel, cgroups } = open();
    kernel.refused.add(GROUP);
    assert.equal(cgroups.create(ATTEMPT, { ramBytes: undefined, processes: 50 }), undefined);
  });

  it("is removed with its job, or when its last remaining process has ended", () => {
    const { kernel, cgroups } = open({ [GROUP]: { "cgroup.events": "populated 1\n" } });
    cgroups.remove(ATTEMPT);
    assert.ok(kernel.groups.has(GROUP));
    kernel.groups.get(GROUP)?.set("cgroup.events", "populated 0\n");
    cgroups.sweep();
    assert.ok(!kernel.groups.has(GROUP));
  });

  it("is removed in another thread while the next job starts, or at the end", async () => {
    const removal = Promise.withResolvers<boolean>();
    const { kernel, cgroups } = open({}, true, { removeLater: () => removal.promise });
    cgroups.create(ATTEMPT, { ramBytes: undefined, processes: 50 });
    cgroups.remove(ATTEMPT);
    assert.ok(kernel.groups.has(GROUP) && !cgroups.isInUse(ATTEMPT));
    cgroups.close();
    assert.ok(!kernel.groups.has(GROUP), "nobody waits for the other thread any more");
    removal.resolve(kernel.files.remove(GROUP));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!cgroups.isInUse(ATTEMPT));
  });
});

describe("the control groups of a run", () => {
  const groups = {
    "/g/r.a@1": { "cgroup.procs": "11\n12\n", "cgroup.events": "populated 1\n" },
    "/g/r.b@1": { "cgroup.procs": "0\n", "cgroup.events": "populated 0\nfrozen 0\n" },
    "/g/rr.a@1": { "cgroup.procs": "13\n", "cgroup.events": "populated 1\n" },
  };

  it("name their processes with their attempts; a group outside of the namespace is not mistaken for the server's own", () => {
    assert.deepEqual(open(groups).cgroups.find({ runId: "r" }), [
      { pid: 11, job: "a/1" },
      { pid: 12, job: "a/1" },
    ]);
  });

  it("are killed, all or only that of one attempt", () => {
    const { kernel, cgroups } = open(groups);
    cgroups.kill({ runId: "r" });
    cgroups.kill({ runId: "rr", job: { jobId: "a", attempt: 1 } });
    cgroups.kill({ runId: "rr", job: { jobId: "a", attempt: 2 } });
    assert.deepEqual(
      kernel.written,
      ["/g/r.a@1", "/g/r.b@1", "/g/rr.a@1"].map((group) => `${group}/cgroup.kill=1`),
    );
  });

  it("are removed after a kill, except for those with running processes", () => {
    const { kernel, cgroups } = open(groups);
    cgroups.clear({ runId: "r" });
    assert.deepEqual([...kernel.groups.keys()], ["/g/r.a@1", "/g/rr.a@1"]);
  });

  it("are empty once the kernel reports each of them as empty", () => {
    const { kernel, cgroups } = open(groups);
    assert.deepEqual([cgroups.has({ runId: "r" }), cgroups.has({ runId: "x" })], [true, false]);
    assert.equal(cgroups.isEmpty({ runId: "r" }), false);
    kernel.groups.get("/g/r.a@1")?.set("cgroup.events", "populated 0\n");
    assert.equal(cgroups.isEmpty({ runId: "r" }), true);
  });
});
