import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ReasonCode } from "@weft/shared/records/state.ts";
import { causeOfEnd, causeOfLoss, waitingText } from "./end-causes.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

const END = { name: "weft-r-1", index: 0, state: "COMPLETED", exitCode: 0, node: "n1", maxRssBytes: null };

describe("the end of a task", () => {
  const cases: readonly (readonly [string, ReasonCode | undefined])[] = [
    ["TIMEOUT", "TIME_LIMIT"],
    ["DEADLINE", "TIME_LIMIT"],
    ["OUT_OF_MEMORY", "OUT_OF_MEMORY"],
    ["NODE_FAIL", "NODE_FAIL"],
    ["BOOT_FAIL", "NODE_FAIL"],
    ["PREEMPTED", "PREEMPTED"],
    ["CANCELLED", "BACKEND_LOST"],
    ["REVOKED", "BACKEND_LOST"],
    ["COMPLETED", undefined],
    ["FAILED", undefined],
  ];
  for (const [state, code] of cases)
    it(`${state} means ${code ?? "that the program ended by itself"}`, () => {
      const cause = causeOfEnd({ ...END, state });
      assert.equal(cause?.code, code);
      if (cause !== undefined) assert.match(cause.message, new RegExp(`\\(${state}, n1\\)$`));
    });
});

describe("a job that left no record", () => {
  it("was ended by Slurm according to its report", () =>
    assert.equal(causeOfLoss({ ...END, state: "PREEMPTED" }).code, "PREEMPTED"));
  it("did not find its folder according to its script", () =>
    assert.match(causeOfLoss({ ...END, state: "FAILED", exitCode: FOLDER_NOT_FOUND }).hint, /under the same path/));
  it("is reported with the state of Slurm otherwise", () =>
    assert.match(
      causeOfLoss({ ...END, state: "FAILED", exitCode: 1 }).message,
      /without recording its exit \(FAILED, n1\)/,
    ));
  it("has an unknown reason if Slurm has no record", () =>
    assert.match(causeOfLoss(undefined).message, /no longer knows the job/));
});

describe("the text for a job that waits at Slurm", () => {
  const cases: readonly (readonly [state: string, reason: string, text: string, isPacked?: boolean])[] = [
    ["PENDING", "Resources", "waits: Resources (it waits for free nodes)"],
    ["PENDING", "QOSMaxCpu", "waits: QOSMaxCpu (a limit of the account or qos is reached)"],
    ["PENDING", "AssocGrpJobsLimit", "waits: AssocGrpJobsLimit (a limit of the account or qos is reached)"],
    ["PENDING", "SomethingNew", "waits: SomethingNew"],
    ["PENDING", "None", "waits for its turn"],
    [
      "PENDING",
      "PartitionConfig",
      "waits: PartitionConfig (no node of the partition has what it requests: it may wait forever)",
    ],
    [
      "PENDING",
      "ReqNodeNotAvail, UnavailableNodes:n1",
      "waits: ReqNodeNotAvail, UnavailableNodes:n1 (the nodes that it requests are down or reserved)",
    ],
    ["CONFIGURING", "None", "is CONFIGURING"],
    ["RUNNING", "None", "runs other jobs of Weft first", true],
  ];
  for (const [state, reason, text, isPacked = false] of cases)
    it(`explains ${state}, ${reason}`, () =>
      assert.equal(waitingText({ id: "1_2", state, reason, isPacked }), `Slurm job 1_2 ${text}`));
});
