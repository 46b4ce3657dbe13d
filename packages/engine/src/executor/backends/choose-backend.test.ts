import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseBackend, type BackendRule } from "./choose-backend.ts";

const LITTLE = { cores: 1, ramMib: undefined, seconds: undefined };

describe("the backend of a job", () => {
  const cases: Readonly<
    Record<string, readonly [readonly BackendRule[], string, Partial<typeof LITTLE> | object, string]>
  > = {
    "is the default without a rule": [[], "align", {}, "local"],
    "is that of a rule for the step": [[{ backend: "slurm", step: "align" }], "align", {}, "slurm"],
    "is not that of a rule for another step": [[{ backend: "slurm", step: "align" }], "align2", {}, "local"],
    "is that of a rule whose pattern matches the step": [[{ backend: "slurm", step: "qc/*" }], "qc/count", {}, "slurm"],
    "is not that of a rule whose pattern ends one level above": [
      [{ backend: "slurm", step: "*" }],
      "qc/count",
      {},
      "local",
    ],
    "is that of a rule for all steps": [[{ backend: "slurm", step: "**" }], "qc/count", {}, "slurm"],
    "follows the cores": [[{ backend: "slurm", cores: 4 }], "", { cores: 4 }, "slurm"],
    "does not follow fewer cores": [[{ backend: "slurm", cores: 4 }], "", { cores: 3.5 }, "local"],
    "follows the memory": [[{ backend: "slurm", ramMib: 100 }], "", { ramMib: 200 }, "slurm"],
    "treats unstated memory as little": [[{ backend: "slurm", ramMib: 100 }], "", {}, "local"],
    "follows the time limit": [[{ backend: "slurm", seconds: 60 }], "", { seconds: 60 }, "slurm"],
    "needs every condition of a rule": [[{ backend: "slurm", step: "a", cores: 4 }], "a", { cores: 1 }, "local"],
    "is that of the first rule that fits": [[{ backend: "local", step: "a" }, { backend: "slurm" }], "a", {}, "local"],
  };
  for (const [what, [rules, step, size, expected]] of Object.entries(cases))
    it(what, () => assert.equal(chooseBackend({ standard: "local", rules }, step, { ...LITTLE, ...size }), expected));
});
