import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsOf } from "../testing/settings-of.ts";
import { SANDBOX } from "./flags.ts";
import { sandboxSetting } from "./sandbox-setting.ts";

describe("sandboxSetting", () => {
  const cases = [
    [[], "none", "none"],
    [[], "auto", "auto"],
    [["--sandbox", "required"], "auto", "required"],
    [["--sandbox=none"], "auto", "none"],
  ] as const;
  for (const [args, standard, expected] of cases)
    it(`reads ${args.join(" ") || "nothing"} where ${standard} is usual`, () =>
      assert.equal(sandboxSetting(settingsOf([SANDBOX], ...args), standard), expected));

  it("refuses a sandbox that there is not", () =>
    assert.throws(
      () => sandboxSetting(settingsOf([SANDBOX], "--sandbox", "firejail"), "auto"),
      /must be one of auto, required, none, not "firejail"/,
    ));
});
