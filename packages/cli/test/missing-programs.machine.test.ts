import assert from "node:assert/strict";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess, weft } from "../src/testing/run-in-process.ts";

const tool = (more: string) => `cwlVersion: v1.2
class: CommandLineTool
${more}
baseCommand: [sh, -c, "echo ran"]
inputs: {}
outputs: { ran: stdout }
`;
const DOCKER = '{ DockerRequirement: { dockerPull: "debian:12" } }';
const root = temporaryFolder({
  "plain.cwl": tool(""),
  "requirements.cwl": tool(`requirements: ${DOCKER}`),
  "hints.cwl": tool(`hints: ${DOCKER}`),
});
/** Programs without any container engine or sandbox, whatever this machine has. */
const [programs, state] = [join(root, "bin"), join(root, "state")];
for (const folder of [programs, state]) mkdirSync(folder, { mode: 0o700 });
symlinkSync("/bin/sh", join(programs, "sh"));
// The engine looks for programs in the PATH of its process, which runs only this file.
process.env["PATH"] = programs;
const run = (document: string, ...args: readonly string[]) => [
  ...["run", "--state", state, "--outdir", join(root, "out"), ...args, join(root, `${document}.cwl`)],
];

describe("weft run of a tool that requests a container on a machine without an engine", () => {
  const cases: readonly [string, readonly string[], number, RegExp][] = [
    ["warns of a requirement", run("requirements"), 0, /warning: .*runs without.*singularity is not installed/],
    [
      "refuses a requirement of an engine that the user chose",
      run("requirements", "--container", "podman"),
      33,
      /debian:12, but .*podman.*\n.*--no-container/,
    ],
    ["warns of a hint", run("hints"), 0, /warning: .*runs without.*singularity is not installed/],
    ["warns of a requirement that is ignored", run("requirements", "--no-container"), 0, /warning: .*turned off/],
  ];
  for (const [name, words, code, message] of cases)
    it(name, async () => void (await expectExit(words, code, message, { env: { WEFT_CONTAINER: "auto" } })));
});

describe("without bubblewrap", () => {
  it("weft run continues without a sandbox, and says why", async () => {
    const { stderr } = await expectSuccess(run("plain", "--sandbox", "auto"));
    assert.match(stderr, /without a sandbox.*bubblewrap is not installed/);
  });

  it("weft run exits with 78 if a sandbox is required, says what to do, and leaves nothing behind", async () => {
    const message = /^weft: a sandbox is required, but bubblewrap is not installed.*sandbox\.md/m;
    await expectExit(run("plain", "--sandbox", "required"), 78, message);
    const left = readdirSync(state).filter((name) => name.startsWith("weft-run-"));
    assert.deepEqual(left, []);
  });

  it("weft serve refuses to start if a sandbox is required", async () => {
    const served = await weft(["serve", "--port", "0", "--state", state, "--sandbox", "required"]);
    assert.equal(served.code, 78, served.stderr);
  });
});
