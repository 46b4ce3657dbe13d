import assert from "node:assert/strict";
import { it } from "node:test";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { safeName } from "@weft/cwl/model/safe-name.ts";
import { valuePacking } from "./value-packing.ts";

it("packs values of any kind", () => {
  const values: CwlValue[] = [
    null,
    true,
    1.5,
    -0.25,
    2n ** 60n,
    1e300,
    2 ** 60,
    "é\u2028",
    ["a", [null]],
    { constructor: 1 },
  ];
  assert.deepEqual(valuePacking.unpack(valuePacking.pack(values)), values);
});

it("packs Files of jobs to less than a fifth of their text", () => {
  const values = Array.from({ length: 256 }, (_, n): CwlValue => {
    const location = `file:///srv/weft/runs/0123/results/echo-${n}@1.number.txt`;
    const checksum = `sha1$${String(Math.sin(n)).slice(-10).repeat(4)}`;
    return {
      class: "File",
      location,
      basename: safeName("number.txt"),
      nameroot: "number",
      nameext: ".txt",
      checksum,
      size: 8,
    };
  });
  const packed = valuePacking.pack(values);
  assert.equal(packed.buffer.byteLength, packed.byteLength);
  assert.ok(packed.byteLength * 5 < JSON.stringify(values).length, `${packed.byteLength}`);
  assert.deepEqual(valuePacking.unpack(packed), values);
});
