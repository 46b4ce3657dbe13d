import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { textDigest } from "../files/hash-file.ts";
import { recordInTurns, type RecordedPage } from "./record-in-turns.ts";
import { recordValues } from "./record-values.ts";
import { columns } from "../testing/columns.ts";

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

/** The text of the object that the blobs of the last page name. */
function textOf(pages: readonly RecordedPage[]): string {
  const blobs = pages.flatMap((page) => page.blobs);
  const texts = new Map(blobs.flatMap((blob) => ("text" in blob ? [[blob.digest, blob.text] as const] : [])));
  for (const [digest, text] of texts) assert.equal(digest, textDigest(text));
  const whole = blobs.at(-1);
  assert.ok(whole !== undefined);
  return "text" in whole ? whole.text : whole.parts.map((part) => texts.get(part)).join("");
}

describe("recordInTurns", () => {
  it("records what recordValues records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (values) => {
        const outputs = values as CwlObject;
        const pages: RecordedPage[] = [];
        const takePage = async (page: RecordedPage) => void pages.push(page);
        const last = await recordInTurns(outputs, { uris, sources: new Map(), filesPerPage: 2, takePage });
        assert.ok(pages.every(({ files }) => files.length === 2) && last.files.length <= 2);
        const all = [...pages, last];
        const recorded = { blob: { digest: last.digest, text: textOf(all) }, files: all.flatMap(({ files }) => files) };
        assert.deepEqual(recorded, recordValues(outputs, uris));
      }),
    );
  });

  it("records the prepared values", async () => {
    const prepared: unknown[] = [];
    const prepare = async (value: CwlValue) => (prepared.push(value), "other");
    const takePage = () => assert.fail();
    const { blobs } = await recordInTurns(
      { one: 1, many: [2, 3] },
      { uris, sources: new Map(), filesPerPage: 1, takePage, prepare },
    );
    assert.deepEqual(prepared, [1, 2, 3]);
    assert.equal(textOf([{ blobs, files: [] }]), '{"one":"other","many":["other","other"]}');
  });

  it("names the origin of a published file", async () => {
    const location = "file:///state/runs/1/outputs/a";
    const outputs = { lines: [{ class: "File", location, basename: "a" }] } satisfies CwlObject;
    const sources = new Map([[location, "file:///state/runs/1/results/b"]]);
    const { files } = await recordInTurns(outputs, { uris, sources, filesPerPage: 1, takePage: () => assert.fail() });
    assert.deepEqual(columns(files, "place", "source_uri"), [["[0]", "weft-data://runs/1/results/b"]]);
  });
});
