import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCatalogAddress } from "./catalog-address.ts";

const BASE = "https://lab.example/weft";

const CASES: readonly (readonly [text: string, address: string | undefined])[] = [
  ["imaging-cohort", "any imaging-cohort newest"],
  ["networks:imaging-cohort", "network imaging-cohort newest"],
  ["tools:smooth", "tool smooth newest"],
  [`${BASE}/api/networks/imaging-cohort`, "network imaging-cohort newest"],
  [`${BASE}/api/networks/a?version=1.0`, "network a 1.0"],
  [`${BASE}/api/tools/smooth/2.0.0`, "tool smooth 2.0.0"],
  ["/api/tools/smooth", "tool smooth newest"],
  [`${BASE}/ga4gh/trs/v2/tools/networks:a`, "network a newest"],
  [`${BASE}/ga4gh/trs/v2/tools/networks%3Aa/versions/current`, "network a unversioned"],
  [`${BASE}/ga4gh/trs/v2/tools/tools:smooth/versions/1.0.0/PLAIN_CWL/descriptor`, "tool smooth 1.0.0"],
  [`${BASE}/ga4gh/trs/v2/tools/tools:smooth/versions/1.0.0/CWL/descriptor/smooth.cwl`, "tool smooth 1.0.0"],
  [`${BASE}/ga4gh/trs/v2/tools/smooth/versions/1.0.0/PLAIN_CWL/descriptor/%2Fsmooth.cwl`, "any smooth 1.0.0"],
  [`${BASE}/api/ga4gh/v2/tools/smooth/versions/1.0.0/plain-CWL/descriptor`, "any smooth 1.0.0"],
  ["trs://lab.example/smooth/1.0.0", "any smooth 1.0.0"],
  ["trs://lab.example/tools:smooth/1.0.0", "tool smooth 1.0.0"],
  ["trs://other.example/smooth/1.0.0", undefined],
  ["https://other.example/api/tools/smooth", undefined],
  ["https://lab.example/api/tools/smooth", undefined],
  ["main.cwl#main", undefined],
  ["../../etc/passwd", undefined],
  ["file:///etc/passwd", undefined],
  ["", undefined],
];

test("addresses of documents of the catalog", async (t) => {
  for (const [text, expected] of CASES) {
    await t.test(text, () => {
      const found = parseCatalogAddress(text, BASE);
      const actual = found && `${found.kind ?? "any"} ${found.id} ${found.version ?? "newest"}`;
      assert.equal(actual, expected);
    });
  }
});
