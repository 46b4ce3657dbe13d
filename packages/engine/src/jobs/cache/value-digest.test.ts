import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import { randomValues } from "../../testing/random-values.ts";
import { fileName, shortDigest, valueDigest } from "./value-digest.ts";

const contents = {
  checksumOf: async ({ location }: { readonly location: string }) => `sha1$${location.length}`,
  folder: async (uri: string) => `folder of ${uri}`,
};

/** The definition, from which the keys of all recorded jobs were made. */
function form(value: CwlValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isFileOrDirectory(value)) return fileForm(value);
  if (Array.isArray(value)) return value.map(form);
  return { fields: Object.entries(value).map(([name, field]) => [name, form(field)]) };
}

function fileForm(value: FileOrDirectory): unknown {
  if (value.class === "Directory") return { class: "Directory", basename: fileName(value), folder: "unused" };
  const { format, location = "", secondaryFiles = [] } = value;
  return {
    class: "File",
    basename: fileName(value),
    ...(format === undefined ? {} : { format }),
    checksum: `sha1$${location.length}`,
    beside: secondaryFiles.map(form),
  };
}

test("valueDigest of random values is that of the definition", async () => {
  for (const value of randomValues(500))
    assert.equal(await valueDigest(value, contents), shortDigest(canonicalText(form(value))));
});

test("valueDigest of a list of any length is that of the definition", async () => {
  for (const length of [0, 1, 999, 1000, 1001, 2500]) {
    const list = Array.from({ length }, (_, index) => (index % 3 === 0 ? { b: index, a: [2n ** 60n] } : `${index}`));
    assert.equal(await valueDigest(list, contents), shortDigest(canonicalText(form(list))), `${length} items`);
  }
});

test("valueDigest distinguishes every long from the next, also within records and lists", async () => {
  const long = fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 2n })
    .filter((n) => n >= 2n ** 53n || n < -(2n ** 53n) - 1n);
  await fc.assert(
    fc.asyncProperty(long, async (n) => {
      for (const shape of [(x: bigint) => x, (x: bigint) => [x], (x: bigint) => ({ a: [1, { b: x }] })]) {
        const digest = await valueDigest(shape(n), contents);
        assert.equal(await valueDigest(shape(BigInt(n.toString())), contents), digest);
        assert.notEqual(await valueDigest(shape(n + 1n), contents), digest);
      }
    }),
    { numRuns: 50 },
  );
});

test("valueDigest of a known value stays the same", async () => {
  const file = { class: "File", location: "file:///a/b%20c.txt", size: 3, dirname: "/a" } as const;
  const value = { z: [1, "x", null, file], a: { class: "other", n: 0.5 } };
  const text =
    '{"fields":[["z",[1,"x",null,{"basename":"b c.txt","beside":[],"checksum":"sha1$19","class":"File"}]],["a",{"fields":[["class","other"],["n",0.5]]}]]}';
  assert.equal(await valueDigest(value, contents), shortDigest(text));
});

test("valueDigest gives way while it reads many Files", async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const files = Array.from({ length: 10_000 }, (_, at) => ({ class: "File", location: `file:///${at}` }) as const);
  await valueDigest(files, contents);
  clearInterval(counting);
  assert.ok(turns > 1, `${turns} turns`);
});
