import assert from "node:assert/strict";
import { it } from "node:test";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { Machine, KillReport } from "../executor/executor.ts";
import { launchAt } from "../executor/testing/launch.ts";
import { Machines, type MachinesByKind, type MachinesOptions } from "./machines.ts";

/** An executor that records its calls. */
function recording(name: string, asked: string[], report: Partial<KillReport> = {}): Machine {
  const running = { started: Promise.resolve(name), exit: Promise.resolve({ kind: "lost" } as const) };
  const note = <T>(what: string, answer: T) => (asked.push(`${name} ${what}`), answer);
  return {
    submit: () => note("submit", running),
    reattach: () => note("reattach", running),
    look: async () => note("look", "reattach"),
    whyWaiting: () => (name === "slurm" ? "waits there" : undefined),
    cancel: async () => note("cancel", { proven: true, evidence: [], jobs: [], left: [], ...report }),
    close: async () => {},
  };
}

function routerOf(machines: MachinesByKind, backendsOf: MachinesOptions["backendsOf"]): Machines {
  const engineOf = () => {
    throw new Error("no job has a container");
  };
  return new Machines({ machines, backendsOf, engineOf, log: () => {} });
}

it("a job is started, inspected and reattached on its own backend", async () => {
  const asked: string[] = [];
  const backends = { local: recording("local", asked), slurm: recording("slurm", asked), tes: recording("tes", asked) };
  const executor = routerOf(backends, () => []);
  const launch = launchAt("/f", { backend: "slurm" });
  executor.submit(launch);
  await executor.look(launch);
  executor.reattach({ ...launch, backend: "local" });
  assert.deepEqual(asked, ["slurm submit", "slurm look", "local reattach"]);
  assert.equal(executor.whyWaiting(launch), "waits there");
});

it("a run is ended on all its machines, and the end is proven only by all of them", async () => {
  const asked: string[] = [];
  const backends = {
    local: recording("local", asked, { evidence: ["scans"] }),
    slurm: recording("slurm", asked, { evidence: ["slurm"], proven: false }),
    tes: recording("tes", asked, { evidence: ["tes"] }),
  };
  const used: Record<string, readonly BackendKind[]> = { mixed: ["local", "slurm", "tes"], near: ["local"] };
  const executor = routerOf(backends, (runId) => used[runId] ?? []);
  const mixed = await executor.cancel({ runId: "mixed", graceMs: 0 });
  assert.deepEqual([mixed.proven, mixed.evidence], [false, ["scans", "slurm", "tes"]]);
  const near = await executor.cancel({ runId: "near", graceMs: 0 });
  assert.deepEqual([near.proven, near.evidence], [true, ["scans"]]);
  assert.deepEqual(asked, ["local cancel", "slurm cancel", "tes cancel", "local cancel"]);
});
