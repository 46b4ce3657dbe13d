import assert from "node:assert/strict";
import { test } from "node:test";
import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { namesStillFit, toSourceData } from "./named-samples.ts";

function input(id: string, type: CwlTypeRecord): InputRecord {
  return { id, type, type_text: "", required: true };
}

const file = (path: string) => ({ class: "File", path });
const inputs = [
  input("images", { kind: "array", items: { kind: "File" } }),
  input("weights", { kind: "array", items: { kind: "float" } }),
  input("settings", { kind: "record", fields: [] }),
  input("either", { kind: "union", options: [{ kind: "File" }, { kind: "array", items: { kind: "File" } }] }),
  input("name", { kind: "union", options: [{ kind: "File" }, { kind: "string" }] }),
];
const images = [file("/a"), file("/b")];
const samples = { names: ["s1", "s2"], lists: { images } };

test("toSourceData names the entries of the sheet's lists and keeps everything else", () => {
  assert.deepEqual(toSourceData(inputs, { images, weights: [1, 2], settings: { x: 1 }, none: null }, samples), {
    images: { s1: images[0], s2: images[1] },
    weights: [1, 2],
    settings: { value: { x: 1 } },
  });
  assert.equal(toSourceData(inputs, { images, either: file("/c") }, samples), undefined);
  assert.equal(toSourceData(inputs, { images, name: "text" }, samples), undefined);
  assert.ok(toSourceData(inputs, { images, either: [file("/c")], name: file("/d") }, samples));
});

test("names fit only the lists that the sheet filled", () => {
  const cases: [Record<string, unknown>, boolean][] = [
    [{ images }, true],
    [{ images: structuredClone(images), weights: [1] }, true],
    [{ images: images.toReversed() }, false],
    [{ images: images.slice(1) }, false],
    [{}, false],
  ];
  for (const [values, expected] of cases) assert.equal(namesStillFit(samples, values), expected);
});
