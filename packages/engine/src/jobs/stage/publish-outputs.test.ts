import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { CwlObject, DirectoryValue, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { safeName } from "@weft/cwl/model/safe-name.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { createOpenAccess } from "../../access/disk-access.ts";
import { openPublisher } from "./publish-outputs.ts";

const root = temporaryFolder();

let count = 0;
function folders() {
  const base = join(root, String(++count));
  const own = join(base, "own");
  const folder = join(base, "outputs");
  mkdirSync(own, { recursive: true });
  const file = (place: string, text: string): FileValue & { readonly location: string } => {
    writeFiles(base, { [place]: text });
    const named = { basename: safeName(basename(place)), checksum: `sha1$of ${place}` };
    return { class: "File", location: pathToUri(join(base, place)), ...named };
  };
  const publish = async (outputs: CwlObject, inputs: readonly FileValue[] = []) => {
    using publisher = await openPublisher({
      folder,
      ownFolder: own,
      sync: false,
      reach: createOpenAccess({ sync: false, near: own }).all.reach,
      limits: DEFAULT_LIMITS,
      localUri: async (location) => location,
      moved: () => {},
      inputs: new Set(inputs.map(({ location }) => location ?? "")),
    });
    return (await publisher.publish(outputs)) as CwlObject; // an object stays one
  };
  return { base, folder, file, publish };
}
const nameOf = (value: unknown) => (value as FileValue).basename;
const textIn = (folder: string, name: string) => readFile(join(folder, name), "utf8");

describe("a publisher", () => {
  it("gives the later of two equal names a number, and one file one name", async () => {
    const { folder, file, publish } = folders();
    const one = file("own/a/x.txt", "1");
    const two = file("own/b/x.txt", "2");
    const outputs = await publish({ one, two, again: [one, two] });
    assert.deepEqual([nameOf(outputs["one"]), nameOf(outputs["two"])], ["x.txt", "x_2.txt"]);
    assert.deepEqual((outputs["again"] as FileValue[]).map(nameOf), ["x.txt", "x_2.txt"]);
    assert.deepEqual([await textIn(folder, "x.txt"), await textIn(folder, "x_2.txt")], ["1", "2"]);
  });

  it("gives a file and its secondary files the same number, so that the patterns still match", async () => {
    const { folder, file, publish } = folders();
    const group = (job: string, text: string): FileValue => ({
      ...file(`own/${job}/x.bam`, text),
      secondaryFiles: ["bam.bai", "csi"].map((end) => file(`own/${job}/x.${end}`, `${text} ${end}`)),
    });
    const outputs = await publish({ all: [group("a", "1"), group("b", "2")] });
    const names = (outputs["all"] as FileValue[]).map((one) => [one, ...(one.secondaryFiles ?? [])].map(nameOf));
    assert.deepEqual(names, [
      ["x.bam", "x.bam.bai", "x.csi"],
      ["x_2.bam", "x_2.bam.bai", "x_2.csi"],
    ]);
    assert.deepEqual([await textIn(folder, "x_2.bam.bai"), await textIn(folder, "x_2.csi")], ["2 bam.bai", "2 csi"]);
  });

  it("links its own files and copies others", async () => {
    const { base, folder, file, publish } = folders();
    await publish({ ours: file("own/a.txt", "a"), theirs: file("elsewhere/b.txt", "b") });
    const inode = async (path: string) => (await stat(path)).ino;
    assert.equal(await inode(join(folder, "a.txt")), await inode(join(base, "own/a.txt")));
    assert.notEqual(await inode(join(folder, "b.txt")), await inode(join(base, "elsewhere/b.txt")));
  });

  it("replaces files of an earlier run, without touching the targets of its links", async () => {
    const { base, folder, file, publish } = folders();
    await publish({ o: file("own/1/o.txt", "first") });
    await publish({ o: file("own/2/o.txt", "second") });
    assert.equal(await textIn(folder, "o.txt"), "second");
    assert.equal(await textIn(join(base, "own/1"), "o.txt"), "first");
  });

  it("never replaces an input of the run", async () => {
    const { folder, file, publish } = folders();
    const input = file("outputs/data.txt", "precious");
    const outputs = await publish({ same: input, other: file("own/data.txt", "new") }, [input]);
    assert.deepEqual([nameOf(outputs["same"]), nameOf(outputs["other"])], ["data.txt", "data_2.txt"]);
    assert.deepEqual([await textIn(folder, "data.txt"), await textIn(folder, "data_2.txt")], ["precious", "new"]);
  });

  it("writes literals, folders with their content, and secondary files next to them", async () => {
    const { folder, file, publish } = folders();
    const deep = file("own/dir/sub/deep.txt", "deep");
    const literal: FileValue = { class: "File", basename: safeName("l.txt"), contents: "literal" };
    const outputs = await publish({
      literal,
      dir: { class: "Directory", location: new URL("../", deep.location).href.replace(/\/$/, ""), basename: "dir" },
      made: { class: "Directory", basename: "made", listing: [literal] },
      main: { ...deep, secondaryFiles: [file("own/deep.txt.idx", "index")] },
    });
    assert.equal(await textIn(folder, "l.txt"), "literal");
    assert.equal((outputs["literal"] as FileValue).checksum, "sha1$ef6866ce0a7d40aa9a2c8ad0c3ee75d3b586ab68");
    assert.equal(await textIn(folder, "dir/sub/deep.txt"), "deep");
    assert.equal(await textIn(folder, "made/l.txt"), "literal");
    assert.equal((outputs["made"] as DirectoryValue).location, pathToUri(join(folder, "made")));
    assert.equal(await textIn(folder, "deep.txt.idx"), "index");
  });
});
