import assert from "node:assert/strict";
import { test } from "node:test";
import { namesStillFit, sampleNames } from "./named-samples.ts";

const file = (path: string) => ({ class: "File", path });
const images = [file("/a"), file("/b")];
const samples = { names: ["s1", "s2"], lists: { images } };

test("every list of the sheet gets its names", () => {
  assert.deepEqual(sampleNames({ names: ["10", "9"], lists: { images, ages: [1, 2] } }), {
    images: ["10", "9"],
    ages: ["10", "9"],
  });
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
