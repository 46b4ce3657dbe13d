import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { isEnding, isSandbox } from "../local/proc-scanner.ts";

const proc = temporaryFolder();
const has = (pid: number, comm: string, children: string) =>
  writeFiles(proc, { [`${pid}/comm`]: `${comm}\n`, [`${pid}/task/${pid}/children`]: children });
has(10, "bwrap", "11 ");
has(11, "sh", "12 13 ");
has(20, "bwrap", "21 ");
has(21, "bwrap", "");
has(30, "bwrap", "");
has(40, "sh", "11 ");

describe("isSandbox", () => {
  const cases: readonly (readonly [string, number, boolean])[] = [
    ["is true for the program that holds a job", 10, true],
    ["is false while the sandbox is empty", 20, false],
    ["is false before the program has created the sandbox", 30, false],
    ["is false for any other program", 40, false],
    ["is false for a process that has ended", 50, false],
  ];
  for (const [name, pid, expected] of cases) it(name, () => assert.equal(isSandbox(pid, proc), expected));
});

describe("isEnding", () => {
  const stat = (pid: number, state: string, vsize: number) =>
    `${pid} (a) b) ${state} 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 555 ${vsize} 0`;
  const cases: readonly (readonly [string, number, string, boolean])[] = [
    ["is true for a process without memory", 60, stat(60, "D", 0), true],
    ["is false for a process that runs", 61, stat(61, "R", 2_551_808), false],
    ["is false for a zombie", 62, stat(62, "Z", 0), false],
  ];
  for (const [name, pid, text, expected] of cases)
    it(name, () => {
      writeFiles(proc, { [`${pid}/stat`]: text });
      assert.equal(isEnding(pid, proc), expected);
    });
  it("is false for a process that is gone", () => assert.equal(isEnding(70, proc), false));
});
