import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { recordInTurns } from "./record-in-turns.ts";
import { recordValues } from "./record-values.ts";

const uris = new PortableUris({ runs: "/state/runs" });

const name = fc.constantFrom("a", "b.txt", '"quoted"', "é", "1");
const file = fc.record({
  class: fc.constant("File"),
  location: name.map((base) => `file:///state/runs/1/outputs/${encodeURIComponent(base)}`),
  basename: name,
});
const withSecondary = fc.tuple(file, fc.array(file, { maxLength: 2 })).map(([main, secondaryFiles]) => ({
  ...main,
  secondaryFiles,
}));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1.5, 1e300, 2n ** 60n, "text"),
    file,
    withSecondary,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
}));

describe("recordInTurns", () => {
  it("records what recordValues records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (values) => {
        const outputs = values as CwlObject;
        const pages: RecordedFile[][] = [];
        const takePage = async (files: readonly RecordedFile[]) => void pages.push([...files]);
        const recorded = await recordInTurns(outputs, { uris, sources: new Map(), filesPerPage: 2, takePage });
        assert.ok(pages.every(({ length }) => length === 2) && recorded.files.length <= 2);
        assert.deepEqual({ ...recorded, files: [...pages.flat(), ...recorded.files] }, recordValues(outputs, uris));
      }),
    );
  });

  it("names the origin of a published file", async () => {
    const location = "file:///state/runs/1/outputs/a";
    const outputs = { lines: [{ class: "File", location, basename: "a" }] } satisfies CwlObject;
    const sources = new Map([[location, "file:///state/runs/1/results/b"]]);
    const { files } = await recordInTurns(outputs, { uris, sources, filesPerPage: 1, takePage: () => assert.fail() });
    assert.deepEqual(
      files.map(({ place, source_uri }) => [place, source_uri]),
      [["[0]", "weft-data://runs/1/results/b"]],
    );
  });
});
