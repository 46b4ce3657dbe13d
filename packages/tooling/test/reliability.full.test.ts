import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { command } from "./reliability-command.ts";

describe("a server that is killed", () => {
  it("loses and duplicates nothing", async () => {
    const { code, printed } = await command("crash", "--kills", "5");
    assert.equal(code, 0, printed);
    assert.match(printed, /5 kills[^]*0 faults/);
  });

  it("loses and duplicates nothing when that happens between two events", async () => {
    const { code, printed } = await command("boundaries", "--from", "9", "--every", "22");
    assert.equal(code, 0, printed);
    assert.match(printed, /\d kills, each after another event[^]*0 faults/);
  });

  it("sends every event to every subscriber as if it had continued", async () => {
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
