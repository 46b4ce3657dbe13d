import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeCrash } from "../reliability/judge-crash.mjs";
import { command } from "./reliability-command.ts";

describe("a server that is killed", () => {
  it("loses and doubles nothing", async () => {
    const { code, printed } = await command("crash", "--kills", "5");
    assert.equal(code, 0, printed);
    assert.match(printed, /5 kills[^]*0 faults/);
  });

  it("loses and doubles nothing when that happens between two events", async () => {
    const { code, printed } = await command("boundaries", "--from", "9", "--every", "22");
    assert.equal(code, 0, printed);
    assert.match(printed, /\d kills, each after another event[^]*0 faults/);
  });

  it("is heard by every subscriber as if it had gone on", async () => {
    const { code, printed } = await command("events", "--kills", "2", "--subscribers", "6");
    assert.equal(code, 0, printed);
    assert.match(printed, /6 subscribers heard \d+ events each, over 2 kills[^]*0 faults/);
  });
});

describe("a power cut", () => {
  it("loses nothing that was acknowledged", async (t) => {
    const { code, printed } = await command("power", "--cuts", "2", "--seconds", "3");
    assert.equal(code, 0, printed);
    if (printed.includes("skipped")) t.skip(printed.trim());
    else assert.match(printed, /2 cuts[^]*power: 0 faults/);
  });
});

describe("a server that is used in every way", () => {
  it("leaves nothing behind", async () => {
    const { code, printed } = await command("soak", "--hours", "0.004");
    assert.equal(code, 0, printed);
    assert.match(printed, /soak: 0 faults/);
  });
});

describe("an abort", () => {
  it("leaves no process behind, whenever it comes", async () => {
    const { code, printed } = await command("abort", "--runs", "5");
    assert.equal(code, 0, printed);
    assert.match(printed, /5 aborts[^]*0 faults|skipped/);
  });
});

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

  it("finds nothing where all is well", () => assert.deepEqual(judgeCrash(sound), []));

  const faults: [string, Partial<typeof sound>, RegExp][] = [
    ["a lost run", { acknowledged: new Map([["b", "2"]]) }, /run b is lost/],
    ["a doubled run", { runs: [...sound.runs, { run_id: "2", name: "a", state: "COMPLETE" }] }, /a is there twice/],
    ["a stuck run", { runs: [{ run_id: "1", name: "a", state: "RUNNING" }] }, /a is RUNNING/],
    ["wrong outputs", { outputs: new Map([["1", false]]) }, /outputs of a/],
    ["a command that ran twice", { marks: [...sound.marks, "a 1"] }, /"a 1" ran 2 times/],
    ["a command that never ran", { marks: ["a 1"] }, /"a join" never ran/],
    ["a command of no run", { marks: [...sound.marks, "b 1"] }, /"b 1" belongs to no run/],
    ["a gap", { events: sound.events.toSpliced(1, 1) }, /gap before 3/],
    ["an event that was taken back", { heard: new Map([[4, "{}"]]) }, /event 4 was heard/],
    ["two ends of a job", { events: sound.events.toSpliced(2, 0, event(3, "job.ended", "j")) }, /ended twice/],
    ["something after the end", { events: [...sound.events, event(4, "job.ended", "k")] }, /after its run's end/],
  ];
  for (const [name, change, expected] of faults) {
    it(`finds ${name}`, () => assert.match(judgeCrash({ ...sound, ...change }).join("\n"), expected));
  }
});
