import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { inspectAttempt } from "./inspect-attempt.ts";

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

const attemptWith = (record: string) => temporaryFolder({ record });

describe("an attempt of an earlier server", () => {
  // No process has this id.
  const claim = (boot: string) => `pid 99999999\nboot ${boot}\nstat 99999999 (sh) S\n`;

  it("is reattached if its exit was recorded since the machine started", () => {
    assert.equal(inspectAttempt(attemptWith(`${claim(bootId())}exit 0\n`)), "reattach");
  });

  it("is lost if the machine was restarted after its exit, because its outputs may not have reached the disk", () => {
    assert.equal(inspectAttempt(attemptWith(`${claim("of another time")}exit 0\n`)), "lost");
  });

  it("is lost if its process is gone and recorded no whole line about its exit", () => {
    assert.equal(inspectAttempt(attemptWith(`${claim(bootId())}exit 0`)), "lost");
    assert.equal(inspectAttempt(attemptWith("")), "lost");
  });

  it("is claimed if it has not begun, so that it never begins", () => {
    const folder = temporaryFolder();
    assert.equal(inspectAttempt(folder), "unclaimed");
    assert.equal(readFileSync(join(folder, "record"), "utf8"), "");
    assert.equal(inspectAttempt(folder), "lost");
  });
});
