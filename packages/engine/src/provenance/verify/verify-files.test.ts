import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { digestOf } from "../../files/hash-file.ts";
import { PortableUris } from "../../files/portable-uri.ts";
import { FileCheck } from "./verify-files.ts";
import { column } from "../../testing/columns.ts";

const root = temporaryFolder({ "counter.txt": "2" });
const recorded = (content: string, uri = "weft-data://runs/counter.txt") => {
  const { sha1, sha256, sizeBytes } = digestOf(Buffer.from(content));
  return { port: "counter", name: "counter.txt", uri, checksum: sha1, sha256, size: sizeBytes };
};
const check = async (...files: ReturnType<typeof recorded>[]) => {
  const found = new FileCheck(new PortableUris({ runs: root }));
  for (const [index, file] of files.entries()) await found.check(file, `event ${index + 1}`);
  return found;
};

describe("FileCheck", () => {
  it("takes a change as explained that a later event recorded: a job that wrote in place", async () => {
    assert.deepEqual((await check(recorded("1"), recorded("2"))).findings, []);
  });

  it("finds an unrecorded change, and one that was reverted", async () => {
    assert.deepEqual(column((await check(recorded("1"))).findings, "kind"), ["file-changed"]);
    assert.deepEqual(
      (await check(recorded("2"), recorded("3"))).findings.map(({ detail }) => /by event 2/.test(detail)),
      [true],
    );
  });

  it("counts files that it cannot read: other folders, the web, invalid addresses", async () => {
    const elsewhere = ["weft-data://cohort/a", "https://example.org/a", "weft-data://runs/a%2Fb"];
    const found = await check(...elsewhere.map((uri) => recorded("1", uri)));
    assert.deepEqual([found.checked, found.unchecked, found.findings], [0, 3, []]);
  });
});
