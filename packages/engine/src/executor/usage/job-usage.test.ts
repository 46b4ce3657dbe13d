import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JobCgroups } from "../cgroup/job-cgroups.ts";
import { MemoryCgroups } from "../cgroup/testing/memory-cgroups.ts";
import type { Launch } from "../executor.ts";
import type { RecordedExit } from "../job-record-text.ts";
import { JobUsage, OomCount, UseSampler } from "./job-usage.ts";

const LAUNCH: Launch = {
  ...{ backend: "local", size: { cores: 1, ramMib: undefined, seconds: undefined } },
  ...{ runId: "r", jobId: "j", attempt: 1, folder: "/f", workdir: "/f", argv: [], env: {} },
  ...{ stdin: "", stdout: "", stderr: "" },
};
const EXIT: RecordedExit = { exitCode: 137, cpuMs: 5, ioReadBytes: 6, ioWriteBytes: 7, peakBytes: null };

interface Machine {
  /** Measurements of the process; undefined: the process ends before the first. */
  readonly sampled?: number;
  /** Files of the job's control group; undefined: it has none. */
  readonly group?: Readonly<Record<string, string>>;
  /** The kernel's count before and after. */
  readonly oomKills?: readonly [number | undefined, number | undefined];
  readonly isAdopted?: boolean;
}

async function evidenceOf(machine: Machine, exit: RecordedExit | undefined = EXIT) {
  const files = new MemoryCgroups({ "/g/r.j@1": machine.group ?? {} });
  const cgroups =
    machine.group === undefined
      ? undefined
      : new JobCgroups({ folder: "/g", countsMemory: true, countsProcesses: true, files: files.files });
  let nowMs = 0;
  const now = () => nowMs;
  const sampler = new UseSampler({ now, measure: async () => [[12, { bytes: machine.sampled ?? 0, tasks: 1 }]] });
  const oom = new OomCount(() => machine.oomKills?.[nowMs === 0 ? 0 : 1], now);
  const usage = new JobUsage({ sampler, oom, cgroups });
  usage.watch(LAUNCH, 12, machine.isAdopted ?? false);
  nowMs = 1000;
  await sampler.look();
  return usage.end(LAUNCH, exit);
}

describe("JobUsage", () => {
  it("returns the values of the record, and no memory without a measurement", async () => {
    const used = { cpuMs: 5, ioReadBytes: 6, ioWriteBytes: 7, maxRssBytes: null, memorySource: null };
    assert.deepEqual(await evidenceOf({}), { used });
  });

  const memory: [string, Machine, number | null, string | null][] = [
    ["the observed processes", { sampled: 100, group: { "memory.peak": "900\n" } }, 100, "sampled"],
    ["the kernel's count for a job without samples", { group: { "memory.peak": "900\n" } }, 900, "cgroup"],
    ["nothing if the kernel does not count either", { group: {} }, null, null],
  ];
  for (const [name, machine, bytes, source] of memory)
    it(`reports as memory ${name}`, async () => {
      const { used } = await evidenceOf(machine);
      assert.deepEqual([used.maxRssBytes, used.memorySource], [bytes, source]);
    });

  it("reports the higher of measured and recorded memory", async () => {
    for (const [sampled, expected] of [
      [100, 300],
      [500, 500],
    ] as const) {
      const { used } = await evidenceOf({ sampled }, { ...EXIT, peakBytes: 300 });
      assert.deepEqual([used.maxRssBytes, used.memorySource], [expected, "sampled"]);
    }
  });

  const events = (kills: number) => ({ "memory.events": `max 3\noom 1\noom_kill ${kills}\n` });
  const oom: Readonly<Record<string, readonly [Machine, RecordedExit, string | undefined]>> = {
    "the kernel counts it in the job's group": [{ group: events(2) }, { ...EXIT, exitCode: 1 }, "cgroup 2"],
    "the machine's count has grown": [{ oomKills: [4, 5] }, EXIT, "machine 1"],
    "the machine's count is unchanged": [{ oomKills: [4, 4] }, EXIT, undefined],
    "the kernel reports no count": [{ oomKills: [undefined, 5] }, EXIT, undefined],
    "the job's group has lost none, regardless of processes outside it": [
      { group: events(0), oomKills: [4, 5] },
      EXIT,
      undefined,
    ],
    "it succeeded nevertheless": [{ oomKills: [4, 5] }, { ...EXIT, exitCode: 0 }, undefined],
    "an earlier server started it, and the count then is unknown": [
      { oomKills: [4, 5], isAdopted: true },
      EXIT,
      undefined,
    ],
  };
  for (const [name, [machine, exit, expected]] of Object.entries(oom))
    it(`sees ${expected === undefined ? "no" : "the"} evidence of a lack of memory if ${name}`, async () => {
      const found = (await evidenceOf(machine, exit)).oom;
      assert.equal(found && `${found.source} ${found.kills}`, expected);
    });
});
