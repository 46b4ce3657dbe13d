import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareTools, type ToolUse } from "./compare-tools.ts";

const IMAGE = { image: "tools/fsl:6", digest: "sha256:1", engine: "podman", version: "5.4" } as const;

function use(change: Partial<ToolUse> = {}): ToolUse {
  const tool = { id: "measure", version: "1.0.0", class: "CommandLineTool" } as const;
  return { step: "measure", tool, container: IMAGE, startedMs: 1, ...change };
}

const EXPRESSION = use({ tool: { id: null, version: null, class: "ExpressionTool" }, container: null });

describe("compareTools", () => {
  const cases: Readonly<Record<string, readonly [[ToolUse, ToolUse][], tools: unknown, ...sentences: string[]]>> = {
    "the same container everywhere": [[[use(), use()]], "same"],
    "the same container with expressions": [
      [
        [use(), use()],
        [EXPRESSION, EXPRESSION],
      ],
      "same",
    ],
    "programs of the machine, of which nothing is known": [
      [[use({ container: null }), use({ container: null })]],
      undefined,
    ],
    "a container without a digest": [
      [[use({ container: { ...IMAGE, digest: null } }), use({ container: { ...IMAGE, digest: null } })]],
      undefined,
    ],
    "nothing that both ran": [[], undefined],
    "an image that has moved on, once for all jobs of the step": [
      [
        [use(), use({ container: { ...IMAGE, digest: "sha256:2" } })],
        [use(), use({ container: { ...IMAGE, digest: "sha256:2" } })],
      ],
      "other",
      "step measure: tools/fsl:6 (sha256:1, podman 5.4) and tools/fsl:6 (sha256:2, podman 5.4)",
    ],
    "another version of a tool": [
      [[use(), use({ tool: { id: "measure", version: "1.1.0", class: "CommandLineTool" } })]],
      "other",
      "step measure: tool measure 1.0.0 and measure 1.1.0",
    ],
    "a job that never started, which has no container yet": [
      [[use(), use({ container: null, startedMs: null })]],
      undefined,
    ],
  };
  for (const [what, [pairs, tools, ...sentences]] of Object.entries(cases))
    it(`judges ${what}`, () => assert.deepEqual(compareTools(pairs), { sentences, tools }));
});
