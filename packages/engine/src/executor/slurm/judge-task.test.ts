import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeTask } from "./judge-task.ts";
import type { TaskFacts } from "./judge-task.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

const QUEUED = { name: "weft-r-1", index: 0, id: "1_0", state: "RUNNING", reason: "None", node: "n1" };
const ENDED = { name: "weft-r-1", index: 0, state: "COMPLETED", exitCode: 0, node: "n1", maxRssBytes: null };
const CLAIM = "slurm 1_0 n1\npid 7\nboot b\nstat \n";
const exited = (code: number) => `${CLAIM}exit ${code}\n`;
const FACTS: TaskFacts = {
  ...{ record: "", queued: undefined, isPacked: false, isKilled: false, missingMs: 0, latencyMs: 1000, end: undefined },
};

/** The verdict in a word or two. */
function verdictOn(facts: Partial<TaskFacts>): string {
  const verdict = judgeTask({ ...FACTS, ...facts });
  if (verdict.kind !== "ended") return verdict.kind;
  const { exit } = verdict;
  const how = exit.kind === "exited" ? `exit ${exit.exitCode}` : exit.kind;
  return "cause" in exit && exit.cause !== undefined ? `${how} ${exit.cause.code}` : how;
}

describe("an attempt at Slurm", () => {
  const cases: readonly (readonly [string, Partial<TaskFacts>, string])[] = [
    ["that waits in the queue waits", { queued: { ...QUEUED, state: "PENDING" } }, "waits"],
    ["that runs runs", { queued: QUEUED, record: CLAIM }, "runs"],
    ["with a code of its own has ended, whatever the queue says", { queued: QUEUED, record: exited(3) }, "exit 3"],
    ["ended by a signal is waited for until its task has ended", { queued: QUEUED, record: exited(137) }, "runs"],
    ["ended by a signal is asked about", { record: exited(137) }, "ask"],
    [
      "ended by Slurm's signal has Slurm's reason",
      { record: exited(143), end: { ...ENDED, state: "TIMEOUT" } },
      "exit 143 TIME_LIMIT",
    ],
    [
      "ended by a signal of its own has no other reason",
      { record: exited(137), end: { ...ENDED, state: "FAILED" } },
      "exit 137",
    ],
    [
      "ended by a signal of which nobody knows is not waited for without end",
      { record: exited(137), missingMs: 1001 },
      "exit 137",
    ],
    [
      "whose task others share has ended with its own record",
      { record: exited(137), queued: QUEUED, isPacked: true },
      "exit 137",
    ],
    ["that has left the queue may have a record that is not seen yet", { record: CLAIM, missingMs: 1000 }, "waits"],
    ["without a record after that is asked about", { record: CLAIM, missingMs: 1001 }, "ask"],
    [
      "without a record is lost for Slurm's reason",
      { record: CLAIM, missingMs: 1001, end: { ...ENDED, state: "NODE_FAIL" } },
      "lost NODE_FAIL",
    ],
    ["of which Slurm knows nothing for long is lost", { missingMs: 2001 }, "lost BACKEND_LOST"],
    [
      "whose record has no whole line of its end is lost",
      { record: `${CLAIM}exit 0`, missingMs: 2001 },
      "lost BACKEND_LOST",
    ],
    ["that was killed is not waited for", { record: CLAIM, isKilled: true }, "lost"],
    ["that was killed is still there while its task is", { record: CLAIM, isKilled: true, queued: QUEUED }, "runs"],
    ["that was killed and recorded its end has that", { record: exited(143), isKilled: true }, "exit 143"],
    [
      "whose task ended before its turn may be submitted again",
      { isPacked: true, missingMs: 1001, end: { ...ENDED, state: "TIMEOUT" } },
      "unbegun",
    ],
    [
      "whose folder was not found is not submitted again",
      { isPacked: true, missingMs: 1001, end: { ...ENDED, exitCode: FOLDER_NOT_FOUND } },
      "lost BACKEND_LOST",
    ],
  ];
  for (const [what, facts, expected] of cases) it(what, () => assert.equal(verdictOn(facts), expected));

  it("has the memory that the accounts tell", () => {
    const verdict = judgeTask({ ...FACTS, record: exited(0), end: { ...ENDED, maxRssBytes: 5 } });
    const used = verdict.kind === "ended" && verdict.exit.kind === "exited" ? verdict.exit.used : undefined;
    assert.deepEqual([used?.maxRssBytes, used?.memorySource], [5, "slurm"]);
  });
});
