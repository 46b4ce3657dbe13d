import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apptainerFailure, ociFailure, stderrMessage } from "./client-failure.ts";

describe("ociFailure", () => {
  const cases: readonly ["docker" | "podman", number, string, string | undefined][] = [
    ["podman", 125, "Error: statfs /nowhere: no such file\n", "podman: statfs /nowhere: no such file"],
    ["podman", 127, "sh: nosuch: not found\n", undefined],
    ["podman", 126, "", undefined],
    ["podman", 3, "Error: of the tool's own\n", undefined],
    [
      "podman",
      1,
      "ERROR (catatonit:6): failed to exec pid1: Permission denied\n",
      "the program cannot be run in the image: Permission denied",
    ],
    [
      "docker",
      127,
      "docker: Error response from daemon: no such program: unknown\n\nRun 'docker run --help' for more information\n",
      "docker: no such program: unknown",
    ],
    [
      "docker",
      127,
      "[FATAL tini (7)] exec nosuch failed: No such file or directory\n",
      "`nosuch` cannot be run in the image: No such file or directory",
    ],
  ];
  for (const [program, code, stderr, expected] of cases)
    it(`judges ${program} ${code} ${JSON.stringify(stderr)}`, () =>
      assert.equal(ociFailure(program, code, stderr), expected));
});

describe("stderrMessage", () => {
  const cases: readonly [string, string][] = [
    ["", "it said nothing"],
    ["Trying to pull x...\nError: no such host\n", "no such host"],
    ["docker: Cannot connect.\n\nRun 'docker run --help' for more information\n", "Cannot connect."],
  ];
  for (const [stderr, expected] of cases)
    it(`finds the point of ${JSON.stringify(stderr)}`, () => assert.equal(stderrMessage(stderr), expected));
});

describe("apptainerFailure", () => {
  const cases: readonly [number, string, string | undefined][] = [
    [255, "FATAL:   stat nosuch: no such file\n", "apptainer: stat nosuch: no such file"],
    [255, "the tool said this\n", undefined],
    [1, "FATAL:   of the tool's own\n", undefined],
  ];
  for (const [code, stderr, expected] of cases)
    it(`judges ${code} ${JSON.stringify(stderr)}`, () =>
      assert.equal(apptainerFailure("apptainer", code, stderr), expected));
});
