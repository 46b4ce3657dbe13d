import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { storageUrl } from "./task-document.ts";
import type { Mount } from "../executor.ts";
import { Reach } from "../../files/beneath/reach.ts";
import { taskInputs } from "./task-inputs.ts";

const root = temporaryFolder();
const attempt = join(root, "j@1");
const data = join(root, "data");
for (const folder of ["out/sub", "in/1", "tmp"]) await mkdir(join(attempt, folder), { recursive: true });
writeFiles(data, { "folder/a": "a", big: "b", "folder/empty/": "" });

const mount = (source: string, target: string) => ({ source, target, writable: false });
const inputsOf = (mounts: readonly Mount[]) =>
  taskInputs({ mounts, reach: new Reach({ regions: [{ folder: root }] }) }, attempt);
const OWN = [mount(join(attempt, "out"), "/weft/out"), mount(join(attempt, "tmp"), "/tmp")];

describe("the inputs of a task", () => {
  it("are single files, and folders only if they are empty", async () => {
    const inputs = await inputsOf([mount(join(data, "folder"), "/weft/in/1/folder")]);
    assert.deepEqual(inputs, [
      { path: "/weft/in/1/folder/a", type: "FILE", from: join(data, "folder", "a") },
      { path: "/weft/in/1/folder/empty", type: "DIRECTORY", from: join(data, "folder", "empty") },
    ]);
  });

  it("contain texts of the work folder, and replace its links with their targets", async () => {
    writeFiles(attempt, { "out/script": "echo ü\n", "out/bytes": Buffer.from([0xff, 0xfe]), "out/none": "" });
    await symlink("/weft/in/work/0/big", join(attempt, "out", "link"));
    const inputs = await inputsOf([...OWN, mount(join(data, "big"), "/weft/in/work/0/big")]);
    const out = join(attempt, "out");
    assert.deepEqual(inputs, [
      { path: "/weft/out/bytes", type: "FILE", from: join(out, "bytes") },
      { path: "/weft/out/link", type: "FILE", from: join(data, "big") },
      { path: "/weft/out/none", type: "FILE", from: join(out, "none") },
      { path: "/weft/out/script", type: "FILE", from: join(out, "script"), content: "echo ü\n" },
      { path: "/weft/out/sub", type: "DIRECTORY", from: join(out, "sub") },
      { path: "/weft/in/work/0/big", type: "FILE", from: join(data, "big") },
    ]);
  });

  it("omit the empty files at mount points", async () => {
    await writeFile(join(attempt, "in", "1", "big"), "");
    const inputs = await inputsOf([mount(join(attempt, "in"), "/weft/in"), mount(join(data, "big"), "/weft/in/1/big")]);
    assert.deepEqual(inputs, [{ path: "/weft/in/1/big", type: "FILE", from: join(data, "big") }]);
  });

  it("are not read through a link to a forbidden folder", async () => {
    const outside = temporaryFolder({ token: "token" });
    await mkdir(join(data, "hostile", "deep"), { recursive: true });
    for (const [path, target] of [
      ["token", join(outside, "token")],
      ["deep/all", outside],
    ] as const) {
      await symlink(target, join(data, "hostile", path));
      await assert.rejects(inputsOf([mount(join(data, "hostile"), "/weft/in/1/h")]), /is a link to/);
      await rm(join(data, "hostile", path));
    }
    await rm(outside, { recursive: true });
  });

  it("are reported if they are circular", async () => {
    const circle = join(root, "circle");
    await mkdir(circle);
    await symlink(circle, join(circle, "again"));
    await assert.rejects(inputsOf([mount(circle, "/weft/in/1/circle")]), /links back to a folder that contains it/);
  });
});

describe("the address of a path", () => {
  const cases: readonly (readonly [string, Record<string, string>, string | undefined])[] = [
    ["/s/a", {}, "file:///s/a"],
    ["/s/first visit 100%.nii", {}, "/s/first visit 100%.nii"],
    ["/s/w/a b", { "/s": "file:///other", "/s/w": "file:///mnt/w/" }, "/mnt/w/a b"],
    ["/s/w/a", { "/s/w": "/mnt/w/" }, "/mnt/w/a"],
    ["/s/w/a b", { "/s/w": "s3://bucket/w" }, "s3://bucket/w/a%20b"],
    ["/s", { "/s": "file:///mnt" }, "file:///mnt"],
    ["/sx/a", { "/s": "file:///mnt" }, undefined],
  ];
  for (const [path, storage, expected] of cases)
    it(`${path} is ${expected ?? "nowhere"}`, () => assert.equal(storageUrl(path, storage), expected));
});
