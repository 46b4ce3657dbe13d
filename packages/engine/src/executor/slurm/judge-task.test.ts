import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeTask, type TaskFacts } from "./judge-task.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

const QUEUED = { name: "weft-r-1", index: 0, id: "1_0", state: "RUNNING", reason: "None", node: "n1" };
const ENDED = { name: "weft-r-1", index: 0, state: "COMPLETED", exitCode: 0, node: "n1", maxRssBytes: null };
const CLAIM = "slurm 1_0 n1\npid 7\nboot b\nstat \n";
const exited = (code: number) => `${CLAIM}exit ${code}\n`;
const OUT_OF_MEMORY = `${CLAIM}oom 2\nexit 0\n`;
const FACTS: TaskFacts = {
  ...{ record: "", queued: undefined, isPacked: false, isKilled: false, isCounted: false, end: undefined },
  ...{ missingMs: 0, missingLooks: 3, timesForgotten: 5, latencyMs: 1000 },
};
const ended = (state: string) => ({ ...ENDED, state });
/** Facts about a job whose record must be visible by now. */
const GONE = { missingMs: 1001 };

/** The verdict in a word or two. */
function verdictOn(facts: Partial<TaskFacts>): string {
  const verdict = judgeTask({ ...FACTS, ...facts });
  if (verdict.kind !== "ended") return verdict.kind;
  const { exit } = verdict;
  const how = exit.kind === "exited" ? `exit ${exit.exitCode}` : exit.kind;
  return "cause" in exit && exit.cause !== undefined ? `${how} ${exit.cause.code}` : how;
}

describe("an attempt at Slurm", () => {
  const cases: Readonly<Record<string, readonly [Partial<TaskFacts>, string]>> = {
    "waits while it is in the queue": [{ queued: { ...QUEUED, state: "PENDING" } }, "waits"],
    "runs once its node has claimed it": [{ queued: QUEUED, record: CLAIM }, "runs"],
    "has ended if it succeeded, even if the queue still lists it": [{ queued: QUEUED, record: exited(0) }, "exit 0"],
    "still runs if it failed and the queue still lists its task": [{ queued: QUEUED, record: exited(3) }, "runs"],
    "requires a query to Slurm if it failed": [{ record: exited(3) }, "ask"],
    "has no cause in Slurm if its program failed": [{ record: exited(3), end: ended("FAILED") }, "exit 3"],
    "has Slurm's cause if Slurm ended it": [{ record: exited(143), end: ended("TIMEOUT") }, "exit 143 TIME_LIMIT"],
    "has Slurm's cause if a child process ran out of memory": [
      { record: exited(1), end: ended("OUT_OF_MEMORY") },
      "exit 1 OUT_OF_MEMORY",
    ],
    "has Slurm's cause if it succeeded although others ran out of memory": [
      { record: exited(0), end: ended("OUT_OF_MEMORY") },
      "exit 0 OUT_OF_MEMORY",
    ],
    "has ended if it succeeded and its node counted processes that ran out of memory": [
      { record: OUT_OF_MEMORY, queued: QUEUED, isCounted: true },
      "exit 0 OUT_OF_MEMORY",
    ],
    "did not run out of memory if Weft killed it": [{ record: OUT_OF_MEMORY, isKilled: true }, "exit 0"],
    "has ended if it failed and Slurm does not know it": [{ record: exited(3), end: "unknown" }, "exit 3"],
    "has ended if it failed and Slurm has not answered for a minute": [
      { record: exited(3), missingMs: 61_001 },
      "exit 3",
    ],
    "has ended if it failed in a shared task that continues": [
      { record: exited(3), queued: QUEUED, isPacked: true },
      "exit 3",
    ],
    "still runs if a signal ended it in a shared task that continues": [
      { record: exited(143), queued: QUEUED, isPacked: true },
      "runs",
    ],
    "still runs if Slurm counts its memory and the queue still lists it": [
      { record: exited(0), queued: QUEUED, isCounted: true },
      "runs",
    ],
    "requires a query to Slurm if Slurm counts its memory": [{ record: exited(0), isCounted: true }, "ask"],
    "waits for its record for a second after it has left the queue": [{ record: CLAIM, missingMs: 1000 }, "waits"],
    "waits for its record until three polls have not found it": [{ record: CLAIM, ...GONE, missingLooks: 2 }, "waits"],
    "requires a query to Slurm if its record is still missing after that": [{ record: CLAIM, ...GONE }, "ask"],
    "is lost with Slurm's cause if its record is missing": [
      { record: CLAIM, ...GONE, end: ended("NODE_FAIL") },
      "lost NODE_FAIL",
    ],
    "is lost if Slurm does not know it": [{ ...GONE, end: "unknown" }, "lost BACKEND_LOST"],
    "may be submitted again if Slurm forgot it before it began": [
      { ...GONE, end: "unknown", timesForgotten: 4 },
      "unbegun",
    ],
    "is lost if Slurm forgot it after it began": [{ record: CLAIM, ...GONE, end: "unknown" }, "lost BACKEND_LOST"],
    "is lost if Slurm has not answered for a minute": [{ missingMs: 61_001 }, "lost BACKEND_LOST"],
    "is lost if its record does not have a complete line for its end": [
      { record: `${CLAIM}exit 0`, ...GONE, end: "unknown" },
      "lost BACKEND_LOST",
    ],
    "is lost if it was killed before its turn in a shared task": [
      { isKilled: true, isPacked: true, queued: QUEUED },
      "lost",
    ],
    "is lost if it was killed and has left the queue": [{ record: CLAIM, isKilled: true }, "lost"],
    "still runs if it was killed and the queue still lists its task": [
      { record: CLAIM, isKilled: true, queued: QUEUED },
      "runs",
    ],
    "has its recorded end if it was killed": [{ record: exited(143), isKilled: true }, "exit 143"],
    "may be submitted again if its task ended before its turn": [
      { isPacked: true, ...GONE, end: ended("TIMEOUT") },
      "unbegun",
    ],
    "is not submitted again if its folder was not found": [
      { isPacked: true, ...GONE, end: { ...ENDED, exitCode: FOLDER_NOT_FOUND } },
      "lost BACKEND_LOST",
    ],
  };
  for (const [what, [facts, expected]] of Object.entries(cases))
    it(what, () => assert.equal(verdictOn(facts), expected));

  it("has the memory from Slurm's accounting", () => {
    const verdict = judgeTask({ ...FACTS, record: exited(0), end: { ...ENDED, maxRssBytes: 5 } });
    const used = verdict.kind === "ended" && verdict.exit.kind === "exited" ? verdict.exit.used : undefined;
    assert.deepEqual([used?.maxRssBytes, used?.memorySource], [5, "slurm"]);
  });
});
