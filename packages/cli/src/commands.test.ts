import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Command } from "commander";
import { weftCommand } from "./commands.ts";
import { Flag } from "./settings/flag.ts";
import { settingsOf } from "./testing/settings-of.ts";

const weft = weftCommand(() => {});
const named = (command: Command): readonly Command[] => command.commands.flatMap((child) => [child, ...named(child)]);

describe("help", () => {
  it("lists every command", () => {
    for (const name of weft.commands.map((command) => command.name()))
      assert.match(weft.helpInformation(), new RegExp(`^  ${name}\\b`, "m"));
  });

  for (const command of named(weft))
    it(`of ${command.name()} names its arguments and flags, and says what each means`, () => {
      const help = command.helpInformation();
      for (const { long, description } of command.options) {
        assert.ok(help.includes(`  ${long}`), String(long));
        assert.notEqual(description, "");
      }
      for (const argument of command.registeredArguments) assert.ok(help.includes(`  ${argument.name()} `));
    });

  it("of a command in a group has the flags of the group", () => {
    assert.match(
      weft.commands.find((command) => command.name() === "token")?.commands[0]?.helpInformation() ?? "",
      /--state/,
    );
  });
});

describe("flags", () => {
  const flags = [
    new Flag("--port <PORT>", "x"),
    new Flag("--data <NAME=DIR>", "x", { isList: true }),
    new Flag("--no-container", "x"),
  ];

  it("may be repeated if they are lists; otherwise the last one wins", () => {
    const settings = settingsOf(flags, "--data", "a=1", "--port", "1", "--data=b=2", "word", "--port=2");
    assert.deepEqual([settings.list("data"), settings.text("port")], [["a=1", "b=2"], "2"]);
    assert.deepEqual(settings.positionals, ["word"]);
  });

  it("whose names begin with no- are switches like others", () => {
    assert.equal(settingsOf(flags).isOn("no-container"), false);
    assert.equal(settingsOf(flags, "--no-container").isOn("no-container"), true);
  });

  it("do not take another flag for their value", () => {
    assert.throws(
      () => settingsOf(flags, "--port", "--no-container"),
      /--port needs a value; "--no-container" is a flag/,
    );
  });

  it("come from the environment if they are not given, lists with commas", (t) => {
    t.after(() => ["WEFT_PORT", "WEFT_DATA"].forEach((name) => delete process.env[name]));
    Object.assign(process.env, { WEFT_PORT: "7", WEFT_DATA: "a=1,b=2" });
    assert.deepEqual([settingsOf(flags).text("port"), settingsOf(flags).list("data")], ["7", ["a=1", "b=2"]]);
    assert.equal(settingsOf(flags, "--port", "8").text("port"), "8");
  });

  it("that are not known are refused", () => {
    assert.throws(() => settingsOf(flags, "--ports", "1"), /unknown option '--ports'/);
  });
});
