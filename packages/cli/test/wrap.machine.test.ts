import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { weft } from "../src/testing/run-in-process.ts";

const root = mkdtempSync(join(tmpdir(), "weft-wrap-"));
after(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, "fruit.txt"), "b\na\n");

describe("weft wrap", () => {
  it("writes a tool whose test passes, with the descriptions in the program's help", async () => {
    const wrapped = await weft(["wrap", "sort -r -o sorted.txt fruit.txt", "--yes", "--outdir", "tool"], { cwd: root });
    assert.deepEqual([wrapped.code, wrapped.stdout], [0, "tool/sort.cwl\n"], wrapped.stderr);
    assert.match(
      readFileSync(join(root, "tool/sort.cwl"), "utf8"),
      /reverse:\n {4}type: boolean\?\n {4}doc: "reverse the result/,
    );
    const tested = await weft(["test", "tool"], { cwd: root });
    assert.equal(tested.code, 0, tested.stdout);
    assert.equal((await weft(["validate", "tool/sort.cwl"], { cwd: root })).code, 0);
    const again = await weft(["wrap", "sort fruit.txt", "--outdir", "tool"], { cwd: root });
    assert.match(again.stderr, /tool\/sort\.cwl exists already/);
  });

  it("reads help from a file, and says what it assumes", async () => {
    writeFileSync(join(root, "help.txt"), "Counts things in files.\n  -m, --mode WORD   how to count\n");
    const { code, stdout, stderr } = await weft(
      ["wrap", "no-such-program -m fast -q x.txt fruit.txt", "--help-text", "help.txt", "--image", "debian:12"],
      { cwd: root },
    );
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /Counts things in files\.\n[^]*dockerPull: "debian:12"\n[^]*mode:\n {4}type: string\?\n {4}doc: "how to count"/,
    );
    assert.match(stderr, /What is -q\? Assumed: an option with the value x\.txt/);
  });

  it("refuses input other than one command", async () => {
    const { code, stderr } = await weft(["wrap", "a | b"], { cwd: root });
    assert.deepEqual(
      [code, stderr.split("\n")[0]],
      [2, "weft: a tool runs one command, without |; make a network of several tools"],
    );
  });
});
