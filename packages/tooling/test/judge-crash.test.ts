import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeCrash } from "../reliability/judge-crash.mjs";

describe("the judge of the crash test", () => {
  const event = (seq: number, type: string, job?: string) => ({ seq, type, run_id: "1", job_id: job });
  const sound = {
    acknowledged: new Map([["a", "1"]]),
    runs: [{ run_id: "1", name: "a", state: "COMPLETE" }],
    outputs: new Map([["1", true]]),
    marks: ["a 1", "a join"],
    expectedMarks: (token: string) => [`${token} 1`, `${token} join`],
    events: [event(1, "run.created"), event(2, "job.ended", "j"), event(3, "run.ended")],
    heard: new Map([[1, JSON.stringify(event(1, "run.created"))]]),
  };

  it("finds no fault in a correct result", () => assert.deepEqual(judgeCrash(sound), []));

  const faults: [string, Partial<typeof sound>, RegExp][] = [
    ["a lost run", { acknowledged: new Map([["b", "2"]]) }, /run b is lost/],
    ["a duplicated run", { runs: [...sound.runs, { run_id: "2", name: "a", state: "COMPLETE" }] }, /a exists twice/],
    ["a stuck run", { runs: [{ run_id: "1", name: "a", state: "RUNNING" }] }, /a is RUNNING/],
    ["wrong outputs", { outputs: new Map([["1", false]]) }, /outputs of a/],
    ["a command that ran twice", { marks: [...sound.marks, "a 1"] }, /"a 1" ran 2 times/],
    ["a command that never ran", { marks: ["a 1"] }, /"a join" never ran/],
    ["a command that belongs to no run", { marks: [...sound.marks, "b 1"] }, /"b 1" belongs to no run/],
    ["a gap in the events", { events: sound.events.toSpliced(1, 1) }, /gap before 3/],
    ["an event that was lost", { heard: new Map([[4, "{}"]]) }, /event 4 was received/],
    ["two ends of a job", { events: sound.events.toSpliced(2, 0, event(3, "job.ended", "j")) }, /ended twice/],
    ["an event after the end", { events: [...sound.events, event(4, "job.ended", "k")] }, /after its run's end/],
  ];
  for (const [name, change, expected] of faults) {
    it(`finds ${name}`, () => assert.match(judgeCrash({ ...sound, ...change }).join("\n"), expected));
  }
});
