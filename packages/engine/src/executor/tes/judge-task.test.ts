import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeTask } from "./judge-task.ts";
import type { EndedTask } from "./judge-task.ts";
import { readTask } from "./task-view.ts";

const log = (exitCode: number | undefined, ...system: string[]) => ({
  exitCode,
  stdout: undefined,
  stderr: undefined,
  system,
});

describe("the meaning of the end of a task", () => {
  const cases: Readonly<Record<string, readonly [Partial<EndedTask>, string, string]>> = {
    "COMPLETE with a code": [{ state: "COMPLETE", log: log(3) }, "exited 3", ""],
    "COMPLETE without a code": [{ state: "COMPLETE" }, "lost BACKEND_LOST", "was not reported (task t: COMPLETE)"],
    "EXECUTOR_ERROR with a code": [{ state: "EXECUTOR_ERROR", log: log(1) }, "exited 1", ""],
    "EXECUTOR_ERROR with code 0": [
      { state: "EXECUTOR_ERROR", log: log(0) },
      "lost BACKEND_LOST",
      "its exit code was not reported",
    ],
    "EXECUTOR_ERROR without one": [
      { state: "EXECUTOR_ERROR", log: log(undefined, "pull access denied") },
      "lost BACKEND_LOST",
      "(task t: EXECUTOR_ERROR, pull access denied)",
    ],
    "EXECUTOR_ERROR for lack of memory": [
      { state: "EXECUTOR_ERROR", log: log(137, "OOMKilled") },
      "exited OUT_OF_MEMORY 137",
      "more memory",
    ],
    SYSTEM_ERROR: [
      { state: "SYSTEM_ERROR", log: log(undefined, "disk is\n full") },
      "lost BACKEND_LOST",
      "disk is full",
    ],
    "SYSTEM_ERROR for lack of memory": [
      { state: "SYSTEM_ERROR", log: log(undefined, "container ran out of memory") },
      "lost OUT_OF_MEMORY",
      "more memory",
    ],
    PREEMPTED: [{ state: "PREEMPTED" }, "lost PREEMPTED", "preempted the job"],
    "CANCELED by someone else": [{ state: "CANCELED" }, "lost BACKEND_LOST", "someone else canceled"],
    "CANCELED by Weft": [{ state: "CANCELED", isKilled: true }, "lost", ""],
    "SYSTEM_ERROR of one that was asked to end": [{ state: "SYSTEM_ERROR", isKilled: true }, "lost", ""],
  };
  for (const [what, [task, expected, words]] of Object.entries(cases))
    it(`judges ${what}: ${expected}`, () => {
      const exit = judgeTask({ id: "t", state: "COMPLETE", log: undefined, isKilled: false, ...task });
      const cause = exit.kind === "rejected" ? undefined : exit.cause;
      const code = exit.kind === "exited" ? [exit.exitCode] : [];
      assert.equal([exit.kind, ...(cause === undefined ? [] : [cause.code]), ...code].join(" "), expected);
      assert.ok((cause?.message ?? "").includes(words), cause?.message ?? "");
    });
});

describe("reading a task", () => {
  const cases: Readonly<Record<string, readonly [unknown, unknown]>> = {
    "uses the log of the last attempt": [
      { id: "t", state: "RUNNING", logs: [{ logs: [{ exit_code: 1 }] }, { logs: [{ exit_code: 2 }] }] },
      ["RUNNING", 2],
    ],
    "treats an unknown state as one that may continue": [{ id: "t", state: "SUSPENDED" }, ["UNKNOWN", undefined]],
    "uses the requested id if the answer has none": [{ state: "QUEUED" }, ["QUEUED", undefined]],
    "does not trust the shape of logs": [
      { id: "t", state: "COMPLETE", logs: "none", tags: [] },
      ["COMPLETE", undefined],
    ],
    "treats a missing exit code as 0": [{ id: "t", state: "COMPLETE", logs: [{ logs: [{}] }] }, ["COMPLETE", 0]],
    "finds none in a text": ["down for maintenance", undefined],
  };
  for (const [what, [json, expected]] of Object.entries(cases))
    it(what, () => {
      const task = readTask(json, "t");
      assert.deepEqual(task && [task.state, task.log?.exitCode], expected);
    });
});
