import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import { sandboxText } from "./sandbox-text.ts";

const cases: readonly (readonly [JobSandbox, string])[] = [
  [{ kind: "bubblewrap", version: "0.8.0", network: false }, "bubblewrap 0.8.0, no network"],
  [{ kind: "bubblewrap", version: "0.8.0", network: true }, "bubblewrap 0.8.0, network access"],
  [{ kind: "none", why: "bubblewrap is not installed" }, "none: bubblewrap is not installed"],
];
for (const [sandbox, text] of cases)
  test(`a sandbox is told as ${text}`, () => assert.equal(sandboxText(sandbox), text));
