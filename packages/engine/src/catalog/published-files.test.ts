import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { Catalog } from "./catalog.ts";
import { PortableUris } from "../files/portable-uri.ts";
import { publishedFiles } from "./published-files.ts";
import { columns } from "../testing/columns.ts";

const DOCUMENT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: sh
inputs:
  script:
    type: File
    default:
      class: File
      location: act.sh
      secondaryFiles: [{ class: File, location: ../../../lib/common.sh }]
  folder: { type: Directory, default: { class: Directory, location: data } }
  private: { type: File, default: { class: File, location: ../../../../private.txt } }
  linked: { type: File, default: { class: File, location: linked.txt } }
  gone: { type: File, default: { class: File, location: gone.txt } }
  remote: { type: File, default: { class: File, location: "https://data.example/a.txt" } }
outputs: []
`;

const FILES: Readonly<Record<string, string>> = {
  "private.txt": "secret",
  "catalog/tools/act/1.0.0/act.cwl": DOCUMENT,
  "catalog/tools/act/1.0.0/act.sh": "echo hello",
  "catalog/tools/act/1.0.0/data/inner/a b.txt": "a",
  "catalog/lib/common.sh": "common",
  "catalog/tools/act/1.0.0/examples/one.yml": "{}",
};

const uris = new PortableUris({});

describe("the files that a catalog entry publishes", async () => {
  const root = temporaryFolder(FILES);
  await symlink(join(root, "private.txt"), join(root, "catalog/tools/act/1.0.0/linked.txt"));

  it("are its document and the catalog's files that it refers to, below it", async () => {
    const catalog = new Catalog(join(root, "catalog"));
    await catalog.load((path) => assert.fail(path));
    const files = await publishedFiles(catalog.find("tool", "act", undefined), { root: catalog.root, uris });
    assert.deepEqual(columns(files, "path", "kind"), [
      ["act.cwl", "primary"],
      ["catalog/lib/common.sh", "helper"],
      ["act.sh", "helper"],
      ["data/inner/a b.txt", "helper"],
      ["examples/one.json", "example"],
    ]);
    const text = String(await files[0]?.read());
    for (const reference of ["act.sh", "catalog/lib/common.sh", "data/inner/a%20b.txt", "https://data.example/a.txt"])
      assert.ok(text.includes(`"${reference}"`), reference);
    assert.ok(!text.includes("../../../lib"));
    for (const { path, read } of files) assert.ok(!(await read()).includes("secret"), path);
  });

  it("are refused for a document with errors", async () => {
    const broken = join(root, "broken/tools/act/1.0.0");
    await mkdir(broken, { recursive: true });
    await writeFile(join(broken, "act.cwl"), "class: [");
    const catalog = new Catalog(join(root, "broken"));
    await catalog.load((path) => assert.fail(path));
    await assert.rejects(
      publishedFiles(catalog.find("tool", "act", undefined), { root: catalog.root, uris }),
      /document has errors/,
    );
  });
});
