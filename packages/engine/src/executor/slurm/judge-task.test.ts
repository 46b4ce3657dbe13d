import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeTask } from "./judge-task.ts";
import type { TaskFacts } from "./judge-task.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

const QUEUED = { name: "weft-r-1", index: 0, id: "1_0", state: "RUNNING", reason: "None", node: "n1" };
const ENDED = { name: "weft-r-1", index: 0, state: "COMPLETED", exitCode: 0, node: "n1", maxRssBytes: null };
const CLAIM = "slurm 1_0 n1\npid 7\nboot b\nstat \n";
const exited = (code: number) => `${CLAIM}exit ${code}\n`;
const OUT_OF_MEMORY = `${CLAIM}oom 2\nexit 0\n`;
const FACTS: TaskFacts = {
  ...{
    record: "",
    queued: undefined,
    isPacked: false,
    isKilled: false,
    isCounted: false,
    missingMs: 0,
    missingLooks: 3,
    timesForgotten: 5,
    latencyMs: 1000,
    end: undefined,
  },
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
    ["that did well has ended, whatever the queue says", { queued: QUEUED, record: exited(0) }, "exit 0"],
    ["that failed is waited for until its task has ended", { queued: QUEUED, record: exited(3) }, "runs"],
    ["that failed is asked about", { record: exited(3) }, "ask"],
    ["that failed by itself has no other reason", { record: exited(3), end: { ...ENDED, state: "FAILED" } }, "exit 3"],
    [
      "that was asked to end has Slurm's reason",
      { record: exited(143), end: { ...ENDED, state: "TIMEOUT" } },
      "exit 143 TIME_LIMIT",
    ],
    [
      "whose child ran out of memory has Slurm's reason",
      { record: exited(1), end: { ...ENDED, state: "OUT_OF_MEMORY" } },
      "exit 1 OUT_OF_MEMORY",
    ],
    [
      "that did well while its children ran out of memory has Slurm's reason",
      { record: exited(0), end: { ...ENDED, state: "OUT_OF_MEMORY" } },
      "exit 0 OUT_OF_MEMORY",
    ],
    [
      "that did well while its node counted such ends is not waited for",
      { record: OUT_OF_MEMORY, queued: QUEUED, isCounted: true },
      "exit 0 OUT_OF_MEMORY",
    ],
    ["that was killed has not run out of memory", { record: OUT_OF_MEMORY, isKilled: true }, "exit 0"],
    ["that failed and of which Slurm knows nothing has ended", { record: exited(3), end: "unknown" }, "exit 3"],
    ["that failed is not asked about without end", { record: exited(3), missingMs: 61_001 }, "exit 3"],
    [
      "that failed in a shared task has ended, whatever becomes of that",
      { record: exited(3), queued: QUEUED, isPacked: true },
      "exit 3",
    ],
    [
      "ended by a signal in a shared task is waited for",
      { record: exited(143), queued: QUEUED, isPacked: true },
      "runs",
    ],
    ["whose memory is counted is waited for", { record: exited(0), queued: QUEUED, isCounted: true }, "runs"],
    ["whose memory is counted is asked about", { record: exited(0), isCounted: true }, "ask"],
    ["that has left the queue may have a record that is not seen yet", { record: CLAIM, missingMs: 1000 }, "waits"],
    ["that two looks have not found may be there", { record: CLAIM, missingMs: 1001, missingLooks: 2 }, "waits"],
    ["without a record after that is asked about", { record: CLAIM, missingMs: 1001 }, "ask"],
    [
      "without a record is lost for Slurm's reason",
      { record: CLAIM, missingMs: 1001, end: { ...ENDED, state: "NODE_FAIL" } },
      "lost NODE_FAIL",
    ],
    ["of which Slurm knows nothing is lost", { missingMs: 1001, end: "unknown" }, "lost BACKEND_LOST"],
    [
      "that Slurm has forgotten before it was begun may be submitted again",
      { missingMs: 1001, end: "unknown", timesForgotten: 4 },
      "unbegun",
    ],
    ["that was begun and forgotten is lost", { record: CLAIM, missingMs: 1001, end: "unknown" }, "lost BACKEND_LOST"],
    ["of which Slurm does not tell is lost in the end", { missingMs: 61_001 }, "lost BACKEND_LOST"],
    [
      "whose record has no whole line of its end is lost",
      { record: `${CLAIM}exit 0`, missingMs: 1001, end: "unknown" },
      "lost BACKEND_LOST",
    ],
    [
      "that was killed before its turn in a shared task has ended",
      { isKilled: true, isPacked: true, queued: QUEUED },
      "lost",
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
