import { expect, test } from "vitest";
import { pruneBody, type PruneKind } from "./free-space-dialog.tsx";

test("pruneBody requests only the chosen parts", () => {
  const cases: [kinds: PruneKind[], runId: string | undefined, body: unknown][] = [
    [[], undefined, undefined],
    [[], "r", undefined],
    [["intermediate"], "r", { run_id: "r", parts: ["intermediate"] }],
    [["logs", "outputs"], "r", { run_id: "r", parts: ["outputs", "logs"] }],
    [
      ["intermediate"],
      undefined,
      { parts: ["intermediate"], uploads: false, downloads: false, older_than_ms: 604_800_000 },
    ],
    [["uploads"], undefined, { parts: [], uploads: true, downloads: false, older_than_ms: 604_800_000 }],
  ];
  for (const [kinds, runId, body] of cases)
    expect(pruneBody({ kinds: new Set(kinds), runId, olderThanDays: 7 })).toEqual(body);
});
