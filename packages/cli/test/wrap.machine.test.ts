import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";

const cwd = temporaryFolder({
  "fruit.txt": "b\na\n",
  "help.txt": "Counts things in files.\n  -m, --mode WORD   how to count\n",
});

describe("weft wrap", () => {
  it("writes a tool whose test passes, with the descriptions in the program's help", async () => {
    const command = ["wrap", "sort -r -o sorted.txt fruit.txt", "--yes", "--outdir", "tool"];
    assert.equal((await expectSuccess(command, { cwd })).stdout, "tool/sort.cwl\n");
    const text = readFileSync(join(cwd, "tool/sort.cwl"), "utf8");
    assert.match(text, /reverse:\n {4}type: boolean\?\n {4}doc: "reverse the result/);
    await expectSuccess(["test", "tool"], { cwd });
    await expectSuccess(["validate", "tool/sort.cwl"], { cwd });
    await expectExit(command, 2, /tool\/sort\.cwl already exists/, { cwd });
  });

  it("reads help from a file, and says what it assumes", async () => {
    const flags = ["--help-text", "help.txt", "--image", "debian:12"];
    const command = ["wrap", "no-such-program -m fast -q x.txt fruit.txt", ...flags];
    const { stdout, stderr } = await expectSuccess(command, { cwd });
    assert.match(
      stdout,
      /Counts things in files\.\n[^]*dockerPull: "debian:12"\n[^]*mode:\n {4}type: string\?\n {4}doc: "how to count"/,
    );
    assert.match(stderr, /What is -q\? Assumed: an option with the value x\.txt/);
  });

  it("refuses input other than one command", async () => {
    const message = /^weft: a tool runs one command, without \|; make a network of several tools\n/;
    await expectExit(["wrap", "a | b"], 2, message);
  });
});
