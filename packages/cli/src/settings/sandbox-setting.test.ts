import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsOf } from "../testing/settings-of.ts";
import { SANDBOX } from "./flags.ts";
import { sandboxSetting } from "./execution-settings.ts";

describe("sandboxSetting", () => {
  const cases = [
    [[], "none", "none"],
    [[], "auto", "auto"],
    [["--sandbox", "required"], "auto", "required"],
    [["--sandbox=none"], "auto", "none"],
  ] as const;
  for (const [args, fallback, expected] of cases)
    it(`reads ${args.join(" ") || "nothing"} if ${fallback} is the default`, () =>
      assert.equal(sandboxSetting(settingsOf([SANDBOX], ...args), fallback), expected));

  it("refuses an unknown sandbox", () =>
    assert.throws(
      () => sandboxSetting(settingsOf([SANDBOX], "--sandbox", "firejail"), "auto"),
      /must be one of auto, required, none, not "firejail"/,
    ));
});
