import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { Caller } from "../../port/caller.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { Catalog } from "../../catalog/catalog.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { AllowedRoots } from "../../access/allowed-roots.ts";
import { DownloadStore } from "../../files/remote/download-store.ts";
import type { RunServices } from "../drive/run-services.ts";
import { createOpenAccess } from "../../access/disk-access.ts";
import { openContainers } from "../../container/open-containers.ts";
import { ALL_LOCAL } from "../../executor/backends/choose-backend.ts";
import { QuickJsEngine } from "../../script/quickjs-engine.ts";
import { NO_SINKS } from "../../sink/folders/sink-folders.ts";
import { resolveRequest } from "./resolve-request.ts";
import { columns } from "../../testing/columns.ts";

const root = temporaryFolder();

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
$namespaces: {e: "http://e/"}
$schemas: [formats.ttl]
baseCommand: cat
inputs: {x: {type: File, format: e:text}}
outputs: []
`;
const folder = join(root, "tools/look/1.0");
await mkdir(folder, { recursive: true });
writeFiles(folder, { "look.cwl": TOOL, "formats.ttl": "<http://e/fasta> <http://s#subClassOf> <http://e/text> .\n" });
await writeFile(join(root, "data.txt"), "data\n");

const catalog = new Catalog(root);
await catalog.load((path) => assert.fail(path));
const services: Partial<RunServices> = {
  access: createOpenAccess({ sync: false, near: root }),
  script: new QuickJsEngine(),
  limits: DEFAULT_LIMITS,
  downloads: new DownloadStore(root),
  sinks: NO_SINKS,
  containers: openContainers({ setting: "none", imagesFolder: root, log: () => {} }),
  backends: ALL_LOCAL,
};
const context = {
  ...(services as RunServices), // nothing else is used
  catalog,
  roots: new AllowedRoots({ catalog: root }),
  findSamples: () => Promise.reject(new Error("no request here names a dataset")),
};
const caller: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "changeable" };
const resolve = (format: string) =>
  resolveRequest(
    caller,
    { tool: "look", inputs: { x: { class: "File", location: "weft-data://catalog/data.txt", format } } },
    context,
  );

const ACCEPTED: readonly (readonly [string, string, string])[] = [
  ["a prefix of the document", "e:text", "http://e/text"],
  ["a kind of the requested format", "e:fasta", "http://e/fasta"],
];
for (const [name, format, expected] of ACCEPTED) {
  test(`resolveRequest accepts ${name}`, async () => {
    const { x } = (await resolve(format)).bound;
    assert.ok(typeof x === "object" && x !== null && "format" in x);
    assert.equal(x.format, expected);
  });
}

test("resolveRequest refuses another format, with its place", async () => {
  await assert.rejects(resolve("e:image"), (error) => {
    assert.ok(error instanceof Refusal);
    assert.deepEqual(columns(error.errors, "pointer", "code"), [["/inputs/x/format", "wrong-format"]]);
    return true;
  });
});
