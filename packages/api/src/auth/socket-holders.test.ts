import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { SocketHolders } from "./socket-holders.ts";

const FREE = "unlimited            unlimited           ";

interface FakeProcess {
  readonly sockets: readonly string[];
  readonly locks?: string;
  readonly environment?: string;
}

/** A folder like /proc, with these processes by their pids. */
function fakeProc(processes: Readonly<Record<number, FakeProcess>>): string {
  const folder = temporaryFolder();
  for (const [pid, process] of Object.entries(processes)) writeProcess(join(folder, pid), process);
  return folder;
}

function writeProcess(folder: string, { sockets, locks = FREE, environment = "HOME=/\0" }: FakeProcess): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "fd"), { recursive: true });
  for (const [fd, inode] of sockets.entries()) symlinkSync(`socket:[${inode}]`, join(folder, "fd", String(fd)));
  writeFiles(folder, { limits: `Max file locks            ${locks}locks     \n`, environ: environment });
}

const CASES: Readonly<Record<string, readonly [Readonly<Record<number, FakeProcess>>, ...(readonly string[])]>> = {
  "a process that is not a job": [{ 7: { sockets: ["1", "9"] } }, "9"],
  "a process with the stamp of a job": [{ 7: { sockets: ["9"], locks: "4611686018427387905  4611686018427387905 " } }],
  "a process whose environment names a job": [{ 7: { sockets: ["9"], environment: "A=1\0WEFT_JOB=r/1/1\0" } }],
  "a process that has ended, or hides its environment": [{ 7: { sockets: ["9"], environment: "" } }],
  nobody: [{ 7: { sockets: ["1"] } }],
  "a job and a process that is not a job": [
    { 8: { sockets: ["9"], environment: "WEFT_JOB=r/1/1\0" }, 7: { sockets: ["9"] } },
    "9",
  ],
  "a process with more files than one search reads": [{ 7: { sockets: numbers(20).with(0, "9") } }],
};

for (const [who, [processes, ...expected]] of Object.entries(CASES))
  test(`a socket that ${who} holds is ${expected.length > 0 ? "" : "not "}vouched for`, () =>
    assert.deepEqual([...new SocketHolders(fakeProc(processes), 20).vouchedFor(["9"])], expected));

test("finds the holders of several sockets", () => {
  const holders = new SocketHolders(
    fakeProc({ 5: { sockets: ["1", "2"] }, 6: { sockets: ["3"] }, 7: { sockets: ["4"], environment: "WEFT_JOB=\0" } }),
  );
  assert.deepEqual([...holders.vouchedFor(["1", "2", "3", "4", "5"])].toSorted(), ["1", "2", "3"]);
});

test("a process that has become a job no longer vouches", () => {
  const proc = fakeProc({ 7: { sockets: ["9"] } });
  const holders = new SocketHolders(proc);
  assert.deepEqual([...holders.vouchedFor(["9"])], ["9"]);
  writeProcess(join(proc, "7"), { sockets: ["10"], environment: "WEFT_JOB=r/1/1\0" });
  assert.deepEqual([...holders.vouchedFor(["10"])], []);
});

test("looks first at the process that held the last socket", () => {
  const proc = fakeProc({ 7: { sockets: ["900"] } });
  const holders = new SocketHolders(proc, 20);
  assert.deepEqual([...holders.vouchedFor(["900"])], ["900"]);
  // More files than one search reads, in newer processes.
  for (const pid of numbers(4)) writeProcess(join(proc, pid), { sockets: numbers(4) });
  assert.deepEqual([...holders.vouchedFor(["900"])], ["900"]);
  assert.deepEqual([...new SocketHolders(proc, 20).vouchedFor(["900"])], []);
});

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(1000 + index));
}
