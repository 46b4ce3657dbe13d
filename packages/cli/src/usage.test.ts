import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { USAGE, usageOf } from "./usage.ts";

const COMMANDS = new Set([...USAGE.matchAll(/^ {2}weft ([a-z]+)/gm)].map(([, command]) => String(command)));

describe("the usage of one command", () => {
  for (const command of COMMANDS)
    it(`tells of ${command} and of no other`, () => {
      const told = [...(usageOf(command) ?? "").matchAll(/^ {2}weft (\S+)/gm)].map(([, name]) => name);
      assert.deepEqual(new Set(told), new Set([command]));
    });

  it("is whole: every form of the command, what it does, and what its words in capitals mean", () => {
    const usage = usageOf("reproduce") ?? "";
    assert.equal(usage.match(/^ {2}weft reproduce/gm)?.length, 2);
    assert.match(usage, /Exits with 0 if none is different/);
    assert.match(usage, /ENGINE is auto/);
  });

  it("has no notes on what it does not speak of", () => {
    assert.doesNotMatch(usageOf("audit") ?? "", /ENGINE/);
  });

  for (const name of ["nothing", "", "Serve", "--version", undefined])
    it(`is none of ${String(name)}`, () => assert.equal(usageOf(name), undefined));
});
