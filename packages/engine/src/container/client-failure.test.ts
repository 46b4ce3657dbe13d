import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apptainerFailure, ociFailure, stderrMessage } from "./client-failure.ts";

const HELP = "\n\nRun 'docker run --help' for more information\n";

describe("the failure of a container engine's program", () => {
  const cases: readonly ["docker" | "podman" | "apptainer", number, string, string | undefined][] = [
    ["podman", 125, "Error: statfs /nowhere: no such file\n", "podman: statfs /nowhere: no such file"],
    ["podman", 127, "sh: nosuch: not found\n", undefined],
    ["podman", 126, "", undefined],
    ["podman", 3, "Error: of the tool's own\n", undefined],
    ["podman", 1, "ERROR (catatonit:6): failed to exec pid1: No\n", "the program cannot be run in the image: No"],
    ["docker", 127, `docker: Error response from daemon: no such program${HELP}`, "docker: no such program"],
    ["docker", 127, "[FATAL tini (7)] exec nosuch failed: No\n", "`nosuch` cannot be run in the image: No"],
    ["apptainer", 255, "FATAL:   stat nosuch: no such file\n", "apptainer: stat nosuch: no such file"],
    ["apptainer", 255, "the tool said this\n", undefined],
    ["apptainer", 1, "FATAL:   of the tool's own\n", undefined],
  ];
  for (const [program, code, stderr, expected] of cases)
    it(`is judged by ${program} ${code} ${JSON.stringify(stderr)}`, () => {
      const isOci = program !== "apptainer";
      const found = isOci ? ociFailure(program, code, stderr) : apptainerFailure(program, code, stderr);
      assert.equal(found, expected);
    });
});

describe("stderrMessage", () => {
  const cases: readonly [string, string][] = [
    ["", "it said nothing"],
    ["Trying to pull x...\nError: no such host\n", "no such host"],
    [`docker: Cannot connect.${HELP}`, "Cannot connect."],
  ];
  for (const [stderr, expected] of cases)
    it(`finds the point of ${JSON.stringify(stderr)}`, () => assert.equal(stderrMessage(stderr), expected));
});
