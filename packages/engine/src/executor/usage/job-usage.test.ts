import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JobCgroups } from "../cgroup/job-cgroups.ts";
import { MemoryCgroups } from "../cgroup/testing/memory-cgroups.ts";
import { launchAt } from "../testing/launch.ts";
import type { RecordedExit } from "../job-record-text.ts";
import { JobUsage, OomCount, UseSampler } from "./job-usage.ts";

const LAUNCH = launchAt("/f");
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
    for (const sampled of [100, 500]) {
      const { used } = await evidenceOf({ sampled }, { ...EXIT, peakBytes: 300 });
      assert.deepEqual([used.maxRssBytes, used.memorySource], [Math.max(sampled, 300), "sampled"]);
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

/** Returns the values that the test sets, and records when it was called and for which processes. */
function scripted() {
  const script = { nowMs: 0, bytes: 0, asked: [] as string[] };
  const sampler = new UseSampler({
    now: () => script.nowMs,
    measure: async (roots) => {
      script.asked.push(`${script.nowMs}: ${roots.join(" ")}`);
      return roots.map((root) => [root, { bytes: script.bytes, tasks: 1 }] as const);
    },
  });
  const lookAt = async (nowMs: number, bytes: number) => {
    Object.assign(script, { nowMs, bytes });
    await sampler.look();
  };
  return { script, sampler, lookAt };
}

describe("UseSampler", () => {
  it("keeps the peak use of a job until it is read", async () => {
    const { sampler, lookAt } = scripted();
    sampler.watch(7);
    for (const [index, bytes] of [10, 30, 20].entries()) await lookAt(250 * 2 ** index, bytes);
    assert.deepEqual([sampler.take(7), sampler.take(7)], [30, null]);
  });

  it("does not call a job measured that it never saw", async () => {
    const { sampler, lookAt } = scripted();
    sampler.watch(7);
    await lookAt(50, 10);
    sampler.watch(8);
    await lookAt(300, 0);
    assert.deepEqual([sampler.take(7), sampler.take(8)], [null, null]);
  });

  it("samples new jobs soon and older ones every two seconds", async () => {
    const { sampler, script, lookAt } = scripted();
    sampler.watch(7);
    for (let nowMs = 0; nowMs <= 8000; nowMs += 250) await lookAt(nowMs, 1);
    assert.deepEqual(script.asked, ["250: 7", "500: 7", "1000: 7", "2000: 7", "4000: 7", "6000: 7", "8000: 7"]);
  });

  it("takes one sample at a time", async () => {
    const answer = Promise.withResolvers<readonly []>();
    let asked = 0;
    const measure = () => ((asked += 1), answer.promise);
    const sampler = new UseSampler({ now: () => asked * 5000 + 5000, measure });
    sampler.watch(7);
    const first = sampler.look();
    assert.equal(asked, 0);
    sampler.watch(8);
    await sampler.look();
    answer.resolve([]);
    await first;
  });
});
