import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsOf } from "../testing/settings-of.ts";
import { containerSetting } from "./execution-settings.ts";
import { FURTHER_JOB_FLAGS, JOB_FLAGS } from "./flags.ts";

describe("containerSetting", () => {
  const cases: readonly [readonly string[], string][] = [
    [[], "auto"],
    [["--container", "podman"], "podman"],
    [["--container=none"], "none"],
    [["--no-container"], "none"],
    [["--no-container", "--container", "docker"], "none"],
  ];
  for (const [args, expected] of cases)
    it(`reads ${args.join(" ") || "nothing"}`, () =>
      assert.equal(containerSetting(settingsOf([...JOB_FLAGS, ...FURTHER_JOB_FLAGS], ...args)), expected));

  it("refuses an unknown engine", () => {
    const settings = settingsOf(JOB_FLAGS, "--container", "lxc");
    assert.throws(() => containerSetting(settings), /must be one of auto, docker, .*not "lxc"/);
  });
});
