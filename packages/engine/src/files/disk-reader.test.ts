import assert from "node:assert/strict";
import { it } from "node:test";
import { diskReader } from "./disk-reader.ts";

it("reads a file of this machine", async () => {
  assert.match((await diskReader.read(import.meta.url)) ?? "", /reads a file of this machine/);
});

const unreadable = [
  "file:///nowhere/x.cwl",
  "file:///tmp",
  "file://host/x.cwl",
  "file:///a%2fb",
  "file:///a%00b",
  "http://127.0.0.1:1/x",
  "x.cwl",
  "",
];
for (const uri of unreadable)
  it(`has nothing at "${uri}"`, async () => assert.equal(await diskReader.read(uri), undefined));
