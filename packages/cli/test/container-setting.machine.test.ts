import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { weft } from "../src/testing/run-in-process.ts";

describe("weft run of a tool that requests a container on a machine without an engine", async () => {
  const root = await mkdtemp(join(tmpdir(), "weft-no-engine-"));
  after(() => rm(root, { recursive: true }));
  const tool = (kind: string) => `cwlVersion: v1.2
class: CommandLineTool
${kind}: { DockerRequirement: { dockerPull: "debian:12" } }
baseCommand: [sh, -c, "echo ran > ran.txt"]
inputs: {}
outputs: { ran: { type: File, outputBinding: { glob: ran.txt } } }
`;
  for (const kind of ["requirements", "hints"]) await writeFile(join(root, `${kind}.cwl`), tool(kind));
  // A folder of programs without any engine, whatever this machine has.
  const programs = join(root, "bin");
  await mkdir(programs);
  await symlink("/bin/sh", join(programs, "sh"));
  // The engine looks for programs in the PATH of its process, which runs only this file.
  process.env["PATH"] = programs;
  const cases: readonly [string, string, readonly string[], number, RegExp][] = [
    ["warns of a requirement", "requirements", [], 0, /warning: .*runs without.*singularity is not installed/],
    [
      "refuses a requirement of an engine that the user chose",
      "requirements",
      ["--container", "podman"],
      33,
      /debian:12, but .*podman.*\n.*--no-container/,
    ],
    ["warns of a hint", "hints", [], 0, /warning: .*runs without.*singularity is not installed/],
    ["warns of a requirement that is ignored", "requirements", ["--no-container"], 0, /warning: .*turned off/],
  ];
  for (const [name, kind, args, code, stderr] of cases) {
    it(name, async () => {
      const command = ["run", "--outdir", join(root, "out"), ...args, join(root, `${kind}.cwl`)];
      const ran = await weft(command, { env: { WEFT_CONTAINER: "auto" } });
      assert.equal(ran.code, code, ran.stderr);
      assert.match(ran.stderr, stderr);
    });
  }
});
