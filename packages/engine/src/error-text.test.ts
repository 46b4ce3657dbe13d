import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { errorText, errorWords } from "./error-text.ts";
import { openTrustedFolder } from "./files/beneath/open-folder.ts";
import { runLater, runNow } from "./files/beneath/steps.ts";

const root = temporaryFolder();

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("errorText", () => {
  const CASES: readonly (readonly [string, () => unknown, string])[] = [
    ["a path", () => readFileSync(join(root, "a b")), `no such file or directory: ${root}/a b`],
    [
      "two paths",
      () => renameSync(join(root, "a"), join(root, "b")),
      `no such file or directory: ${root}/a to ${root}/b`,
    ],
    ["an open file", () => readFileSync(root), "illegal operation on a directory"],
  ];
  for (const [what, act, expected] of CASES) {
    it(`names ${what} in words`, () => assert.equal(errorText(thrownBy(act)), expected));
  }

  it("repeats other messages, and other values", () => {
    assert.equal(errorText(new Error("no")), "no");
    assert.equal(errorText("no"), "no");
    assert.equal(errorWords(thrownBy(() => readFileSync(join(root, "a")))), "no such file or directory");
  });

  it("names an address", () => {
    const refused = { errno: -111, code: "ECONNREFUSED", syscall: "connect", address: "127.0.0.1", port: 1 };
    assert.equal(errorText(Object.assign(new Error("connect"), refused)), "connection refused: 127.0.0.1:1");
  });
});

describe("An operation in an open folder", () => {
  it("fails with the path of the folder, not that of its descriptor", async () => {
    using folder = runNow(openTrustedFolder(root));
    for (const error of [
      thrownBy(() => runNow(folder.readlink("gone"))),
      await runLater(folder.rename("gone", "new")).catch((failure: unknown) => failure),
    ]) {
      assert.match(String(error), new RegExp(`'${root}/gone'`));
      assert.doesNotMatch(`${String(error)} ${errorText(error)}`, /proc\/self/);
    }
  });
});
