import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { foldEvents, type RunToFold } from "./fold-events.ts";
import type { ImportedEvent } from "./read-crate-events.ts";

const THERE = "01a20400-0000-7000-8000-000000000001";
const HERE = "01a20400-0000-7000-8000-000000000002";

/** The run of a crate with arbitrary inputs and outputs. */
function fold(inputs: unknown, outputs: unknown) {
  const line = { run_id: THERE, actor: "ann", time: "2026-01-01T00:00:00.000Z" };
  const events = [
    { line, event: { type: "run.created", data: { inputs: "inputs", document_uri: "file:///tool.cwl" } } },
    { line, event: { type: "run.ended", data: { outputs: "outputs", files: [] } } },
  ] as unknown as readonly ImportedEvent[]; // the test uses no other fields
  const texts = new Map([
    ["inputs", JSON.stringify(inputs)],
    ["outputs", JSON.stringify(outputs)],
  ]);
  const run: RunToFold = {
    events,
    runId: HERE,
    principal: "bob",
    blob: (digest) => texts.get(digest),
    knownAs: () => undefined,
    limits: DEFAULT_LIMITS,
  };
  return foldEvents(run);
}

describe("the values of a crate", () => {
  const forged = { class: "File", basename: "../../../../tokens/mallory.json", contents: "forged" };
  const HOSTILE: readonly (readonly [string, unknown, RegExp])[] = [
    ["a File whose name leads out", { any: forged }, /\/any\/basename: .* cannot be the name of a File/],
    [
      "a listed File whose name does",
      { d: [{ class: "Directory", listing: [forged] }] },
      /\/d\/0\/listing\/0\/basename/,
    ],
    ["secondary files that are not a list", { a: { class: "File", secondaryFiles: "x" } }, /\/a\/secondaryFiles/],
    ["a number for a location", { a: { class: "File", location: 7 } }, /\/a\/location/],
    ["no object", [], /expected one JSON object/],
  ];
  for (const [what, value, message] of HOSTILE) {
    it(`are refused: ${what}, as inputs`, () =>
      assert.throws(() => fold(value, {}), { code: "invalid-crate", message }));
    it(`are refused: ${what}, as outputs`, () =>
      assert.throws(() => fold({}, value), { code: "invalid-crate", message }));
  }

  it("are accepted if they are sound, with addresses of this server", () => {
    const { blobs } = fold(
      { text: "x" },
      { out: { class: "File", basename: "a", location: `weft-data://runs/${THERE}/outputs/a` } },
    );
    assert.deepEqual(
      blobs.map(({ text }) => JSON.parse(text)),
      [{ text: "x" }, { out: { class: "File", basename: "a", location: `weft-data://runs/${HERE}/outputs/a` } }],
    );
  });
});
