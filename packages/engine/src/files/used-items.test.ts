import assert from "node:assert/strict";
import { it } from "node:test";
import { usedItems } from "./used-items.ts";

const ID = "019a9c5e-7b1a-7cc0-8000-000000000001";
const all = [`runs/${ID}/outputs`, `runs/${ID}/intermediate`, `runs/${ID}/logs`];

const cases: readonly [uri: string, items: readonly string[]][] = [
  [`weft-data://uploads/${ID}/a.txt`, [`uploads/${ID}`]],
  [`weft-data://uploads/${ID}`, [`uploads/${ID}`]],
  [`weft-data://runs/${ID}/outputs/report.html`, [`runs/${ID}/outputs`]],
  [`weft-data://runs/${ID}/outputs`, [`runs/${ID}/outputs`]],
  [`weft-data://runs/${ID}/%6Futputs/a`, [`runs/${ID}/outputs`]],
  [`weft-data://runs/${ID}/jobs/a@1/out/stdout`, [`runs/${ID}/intermediate`]],
  [`weft-data://runs/${ID}/jobs/a@1/stdout`, [`runs/${ID}/logs`]],
  [`weft-data://runs/${ID}/jobs/a@1/record`, [`runs/${ID}/logs`]],
  [`weft-data://runs/${ID}/jobs/a@1`, [`runs/${ID}/intermediate`, `runs/${ID}/logs`]],
  [`weft-data://runs/${ID}/jobs/`, [`runs/${ID}/intermediate`, `runs/${ID}/logs`]],
  [`weft-data://runs/${ID}/`, all],
  [`weft-data://runs/${ID}`, all],
  ["weft-data://catalog/data/one.txt", []],
  [`weft-data://uploadsx/${ID}/a`, []],
  ["file:///etc/passwd", []],
  ["https://example.org/runs/a", []],
];

for (const [uri, items] of cases)
  it(`relies on ${items.join(", ") || "nothing"}: ${uri}`, () => assert.deepEqual(usedItems(uri), items));
