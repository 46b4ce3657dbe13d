import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { jobSockets } from "./job-sockets.ts";

interface FakeProcess {
  /** Soft and hard limit of file locks. */
  readonly locks?: string;
  readonly environ?: string;
  /** The process's ids, from the outermost process namespace to its own. */
  readonly ids?: string;
  readonly network?: string;
  readonly sockets?: readonly number[];
}

const HERE = "net:[1]";
const PLAIN: Required<FakeProcess> = {
  ...{ locks: "unlimited            unlimited            ", environ: "PATH=/bin\0", ids: "9" },
  ...{ network: HERE, sockets: [] },
};
const STAMP = "4611686018427387905  4611686018427387905  ";

/** A folder like /proc; `self` is the process that looks. */
function procOf(processes: Readonly<Record<string, FakeProcess>>): string {
  const proc = temporaryFolder();
  for (const [pid, given] of Object.entries({ self: {}, ...processes })) {
    const { locks, environ, ids, network, sockets } = { ...PLAIN, ...given };
    const limits = `Max open files 1 1 files\nMax file locks            ${locks}locks\n`;
    const status = `Name:\tx\nNSpid:\t${ids.replaceAll(" ", "\t")}\n`;
    writeFiles(join(proc, pid), { "ns/": "", "fd/": "", limits, environ, status });
    symlinkSync(network, join(proc, pid, "ns/net"));
    for (const [fd, inode] of sockets.entries()) symlinkSync(`socket:[${inode}]`, join(proc, pid, "fd", `${fd + 3}`));
  }
  return proc;
}

const JOB: FakeProcess = { locks: STAMP };
const LOWERED: FakeProcess = { locks: "5                    5                    " };
const NAMED: FakeProcess = { environ: "A=b\0WEFT_JOB=r/j/1\0" };
const CONFINED: FakeProcess = { ...JOB, ids: "9 2" };

describe("jobSockets", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, FakeProcess>>, readonly string[]])[] = [
    ["none if no job runs", { 7: { sockets: [70] } }, []],
    ["none of other processes while a job runs", { 7: { sockets: [70] }, 8: JOB }, []],
    ["one that a process with a stamp holds", { 7: { sockets: [71] }, 8: { ...JOB, sockets: [70] } }, ["70"]],
    ["one that a process with a lowered limit holds", { 8: { ...LOWERED, sockets: [70] } }, ["70"]],
    ["one that a process holds whose environment names a job", { 8: { ...NAMED, sockets: [70] } }, ["70"]],
    ["one that a job and another process hold", { 7: { sockets: [70] }, 8: { ...JOB, sockets: [70] } }, ["70"]],
    ["those without a visible holder while a sandboxed job shares the network", { 8: CONFINED }, ["70", "71"]],
    ["none that others are seen to hold then", { 7: { sockets: [70, 71] }, 8: CONFINED }, []],
    [
      "none without a visible holder while a sandboxed job has its own network",
      { 8: { ...CONFINED, network: "net:[2]" } },
      [],
    ],
    ["none unseen while a job runs without a sandbox", { 8: JOB }, []],
    ["none unseen for other programs in namespaces of their own", { 8: { ids: "9 2" } }, []],
  ];
  for (const [what, processes, expected] of cases)
    it(`finds ${what}`, () => assert.deepEqual([...jobSockets(["70", "71"], procOf(processes))], expected));
});
