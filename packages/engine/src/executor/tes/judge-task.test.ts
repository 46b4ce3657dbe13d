import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { textOf } from "../testing/launch.ts";
import { judgeTask, type EndedTask } from "./judge-task.ts";
import { readTask } from "./task-view.ts";

const log = (exitCode: number | undefined, ...system: string[]) => ({
  ...{ exitCode, stdout: undefined, stderr: undefined, system },
});

describe("the meaning of the end of a task", () => {
  const kill = { isKilled: true };
  const cases: readonly (readonly [string, Partial<EndedTask>, expected: string, words: string])[] = [
    ["COMPLETE with a code", { log: log(3) }, "exited 3", ""],
    ["COMPLETE without a code", {}, "lost BACKEND_LOST", "was not reported (task t: COMPLETE)"],
    ["EXECUTOR_ERROR with a code", { log: log(1) }, "exited 1", ""],
    ["EXECUTOR_ERROR with code 0", { log: log(0) }, "lost BACKEND_LOST", "its exit code was not reported"],
    ["EXECUTOR_ERROR without one", { log: log(undefined, "no") }, "lost BACKEND_LOST", "(task t: EXECUTOR_ERROR, no)"],
    ["EXECUTOR_ERROR for lack of memory", { log: log(137, "OOMKilled") }, "exited 137 OUT_OF_MEMORY", "more memory"],
    ["SYSTEM_ERROR", { log: log(undefined, "disk is\n full") }, "lost BACKEND_LOST", "disk is full"],
    [
      "SYSTEM_ERROR for lack of memory",
      { log: log(undefined, "ran out of memory") },
      "lost OUT_OF_MEMORY",
      "more memory",
    ],
    ["PREEMPTED", {}, "lost PREEMPTED", "preempted the job"],
    ["CANCELED by someone else", {}, "lost BACKEND_LOST", "someone else canceled"],
    ["CANCELED by Weft", kill, "lost", ""],
    ["SYSTEM_ERROR of one that was asked to end", kill, "lost", ""],
  ];
  for (const [what, task, expected, words] of cases)
    it(`judges ${what}: ${expected}`, () => {
      // The name begins with the state.
      const state = what.split(" ", 1)[0] as EndedTask["state"];
      const exit = judgeTask({ id: "t", state, log: undefined, isKilled: false, ...task });
      const message = "cause" in exit ? (exit.cause?.message ?? "") : "";
      assert.equal(textOf(exit), expected);
      assert.ok(message.includes(words), message);
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
