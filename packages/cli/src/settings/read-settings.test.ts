import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit } from "../testing/run-in-process.ts";
import { settingsIn } from "../testing/settings-of.ts";
import { Flag } from "./flag.ts";

describe("weft.config.json", () => {
  const wrong: readonly [string, string, RegExp][] = [
    ["a key that is no option", '{"private-run": true}', /no option "private-run"; did you mean "private-runs"\?/],
    ["a key that resembles no option", '{"x": 1, "port": 1}', /there is no option "x"\n/],
    ["a list", "[1]", /must contain a JSON object/],
    ["a trailing comma", '{"port": 1,}', /weft\.config\.json: .*JSON at position 11/],
  ];
  for (const [what, text, message] of wrong)
    it(`is refused with ${what}`, async () =>
      void (await expectExit(["verify"], 2, message, { cwd: temporaryFolder({ "weft.config.json": text }) })));

  it("may have options of other commands, and sections of backends", async () => {
    const text = '{"outdir": "o", "no-container": true, "slurm": {}, "tes": {}}';
    await expectExit(["verify"], 1, /no Weft state folder/, { cwd: temporaryFolder({ "weft.config.json": text }) });
  });
});

it("a switch is on or off, and nothing else", () => {
  const isOn = (text: string) => settingsIn({ WEFT_PRIVATE_RUNS: text }, [new Flag("--private-runs", "")], []);
  for (const [text, expected] of [
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
    ["", false],
  ] as const)
    assert.equal(isOn(text).isOn("private-runs"), expected);
  assert.throws(() => isOn("yes").isOn("private-runs"), /--private-runs must be true or false, not "yes"/);
});
