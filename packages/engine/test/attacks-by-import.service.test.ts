/** Imports that take long to read: the server answers others meanwhile, because another thread reads them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MAX_DRAFTS } from "@weft/shared/records/draft-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { zipArchive } from "../src/archive/zip-archive.ts";
import { findProcesses } from "../src/drafts/import/find-processes.ts";
import { plainFiles, type ImportedFile } from "../src/drafts/import/imported-files.ts";
import { DEFAULT_DOWNLOADS } from "../src/files/remote/download-store.ts";
import { allowHosts } from "../src/files/remote/http-policy.ts";
import { startWebServer, text } from "../src/files/remote/testing/web-server.ts";
import { caller } from "../src/testing/drive-runs.ts";
import { draftsOf } from "../src/testing/ask-drafts.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const packedOf = (members: readonly string[]) => `cwlVersion: v1.2\n$graph:\n${members.join("")}`;
const toolsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `- {class: CommandLineTool, id: t${at}, inputs: [], outputs: []}\n`);
const deep = `cwlVersion: v1.2\nclass: CommandLineTool\ninputs: {x: ${"{type: array, items: ".repeat(20_000)}int${"}".repeat(20_000)}}\n`;

async function start() {
  const downloadSettings = { ...DEFAULT_DOWNLOADS, policy: allowHosts(["127.0.0.1"]) };
  return draftsOf((await serveFiles({}, { downloadSettings })).engine);
}

/** Processor time of this thread as a part of that of all threads. */
async function shareOfServer(act: () => Promise<unknown>): Promise<number> {
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
  await act();
  const sum = ({ user, system }: NodeJS.CpuUsage) => user + system;
  return sum(process.threadCpuUsage(own)) / sum(process.cpuUsage(all));
}

describe("an import that takes long to read", () => {
  const ATTACKS: readonly (readonly [what: string, files: Readonly<Record<string, string>>, says: RegExp])[] = [
    [
      "packs more tools than there can be drafts",
      { "a.cwl": packedOf(toolsOf(MAX_DRAFTS + 1)) },
      /can have 2000 tools and networks/,
    ],
    ["nests too deeply", { "a.cwl": deep }, /nothing to import/],
  ];
  for (const [what, files, says] of ATTACKS)
    it(`is refused if it ${what}, and another thread reads it`, async () => {
      const drafts = await start();
      const entries = Object.entries(files).map(([name, text]) => ({ kind: "text", name, text }) as const);
      const zip = { content: zipArchive(entries, new Date()), title: "x.zip", collisions: "new-version" } as const;
      const share = await shareOfServer(() =>
        assert.rejects(drafts.importZip(caller, zip), (error) => error instanceof Refusal && says.test(error.message)),
      );
      assert.ok(share < 0.5, `the thread of the server did ${share} of the work`);
    });

  it("is also refused if an address leads to it, and another thread reads it", async (t) => {
    const drafts = await start();
    const web = await startWebServer({ "/packed.cwl": text(packedOf(toolsOf(MAX_DRAFTS + 1))) });
    t.after(() => web.close());
    const url = `${web.address}/packed.cwl`;
    const share = await shareOfServer(() =>
      assert.rejects(drafts.importUrl(caller, { url }), /can have 2000 tools and networks/),
    );
    assert.ok(share < 0.5, `the thread of the server did ${share} of the work`);
  });

  it("is refused if it has more documents than there can be drafts", async () => {
    const tool = Buffer.from("cwlVersion: v1.2\nclass: CommandLineTool\ninputs: []\noutputs: []\n");
    const files = new Map(Array.from({ length: MAX_DRAFTS + 1 }, (_, at) => [`${at}.cwl`, tool]));
    await assert.rejects(findProcesses(plainFiles(files)), /can have 2000 tools and networks/);
  });

  it("reads a packed document once, however many members it has", async () => {
    class CountedFiles extends Map<string, ImportedFile> {
      reads = 0;
      override get(path: string) {
        this.reads += 1;
        return super.get(path);
      }
    }
    const readsOf = async (members: number) => {
      const files = new CountedFiles(plainFiles(new Map([["a.cwl", Buffer.from(packedOf(toolsOf(members)))]])));
      const { found } = await findProcesses(files);
      assert.equal(found.length, members);
      return files.reads;
    };
    assert.equal(await readsOf(500), await readsOf(5));
  });
});
