import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { Catalog, compareVersions } from "./catalog.ts";

const root = temporaryFolder();

const DOCUMENT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: "true"
inputs: []
outputs: []
`;

it("a catalog that is read again reports whether anything has changed", async () => {
  const folder = join(root, "tools/act/1.0.0");
  await mkdir(folder, { recursive: true });
  const write = (text: string) => writeFile(join(folder, "act.cwl"), text);
  const catalog = new Catalog(root);
  const read = () => catalog.load((path) => assert.fail(path));
  await write(DOCUMENT);
  assert.equal(await read(), true);
  assert.equal(await read(), false);
  await write(DOCUMENT);
  assert.equal(await read(), false, "written again as it was");
  await write(`${DOCUMENT}# a remark\n`);
  assert.equal(await read(), true, "its source is shown");
  await write("class: [");
  assert.equal(await read(), true, "broken");
  assert.equal(await read(), false, "still broken");
  await rm(folder, { recursive: true });
  assert.equal(await read(), true, "gone");
});

const orders: string[][] = [
  ["0.9.0", "0.10.0", "1.0.0-rc.1", "1.0.0", "2.0.0"],
  ["0.9", "0.10", "1", "2", "10"],
  ["2024-01", "2024-02", "2024-10"],
  ["a", "b", "b2", "b10"],
];
for (const ordered of orders) {
  it(`sorts ${ordered.join(" < ")}`, () => assert.deepEqual(ordered.toReversed().sort(compareVersions), ordered));
}
