import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { judgeCrash } from "../reliability/judge-crash.mjs";

function command(name: string, ...args: string[]): Promise<{ readonly code: number | null; readonly printed: string }> {
  const script = fileURLToPath(new URL(`../reliability/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (printed += text.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, printed })));
}

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

describe("a fault of the machine", () => {
  const few = ["--rounds", "1", "--every", "40"];
  const tried: readonly (readonly [string, string])[] = [
    ["full disk", "ends no run with a lie"],
    ["failing writes", "takes back nothing that was called durable"],
    ["failing sync", "ends the server, not what it had acknowledged"],
    ["read-only folder", "is waited for"],
    ["locked database", "is waited for"],
    ["clock that is set", "changes no duration, no wait and no key"],
    ["killed wrapper", "lets its job be tried again, alone"],
    ["killed supervisor", "is not noticed"],
    ["deleted folder", "ends one run at most"],
    ["missing program", "fails its job with the reason"],
    ["missing Perl and bash", "fails jobs with the reason"],
    ["stopped server", "takes no job for lost"],
    ["no memory", "fails the job that took it, with the reason"],
  ];
  for (const [name, promise] of tried) {
    it(`(${name}) ${promise}`, async () => {
      const { code, printed } = await command("faults", ...few, name);
      assert.equal(code, 0, printed);
      assert.match(printed, /faults: 0 faults/);
    });
  }

  it("that does not exist is not tried", async () => {
    const { code, printed } = await command("faults", "bad luck");
    assert.equal(code, 2);
    assert.match(printed, /there is no "bad luck"; there are "full disk"/);
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
