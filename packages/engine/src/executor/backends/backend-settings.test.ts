import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import { LOCAL_BACKEND, remotePlaces } from "./backend-settings.ts";

describe("the maximum number of jobs at other backends", () => {
  const cases: readonly (readonly [string, BackendKind, readonly BackendKind[], number])[] = [
    ["is Slurm's limit if jobs go to Slurm", "slurm", [], 500],
    ["is the TES server's limit if jobs go there", "tes", [], 20],
    ["is the TES server's limit if a rule sends jobs there", "local", ["tes"], 20],
    ["is the lower limit if jobs go to both", "slurm", ["tes"], 20],
    ["is Slurm's limit for jobs of an earlier server", "local", [], 500],
  ];
  for (const [what, standard, sentTo, expected] of cases)
    it(what, () => {
      const slurm = { ...LOCAL_BACKEND.slurm, maxJobs: 500 };
      const tes = { ...LOCAL_BACKEND.tes, maxJobs: 20 };
      const rules = sentTo.map((backend) => ({ backend }));
      assert.equal(remotePlaces({ policy: { standard, rules }, slurm, tes }), expected);
    });
});
