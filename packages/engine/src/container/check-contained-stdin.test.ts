import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { checkContainedStdin } from "./check-contained-stdin.ts";

const root = temporaryFolder({ "data/file": "", "data/dir/file": "", secret: "", "out/": "" });
const at = (path: string) => join(root, path);
await symlink(at("secret"), at("data/dir/link"));
await symlink(at("data/file"), at("linked"));
const MOUNTS = ["data/dir", "linked", "out"].map((path) => ({
  source: at(path),
  target: `/x/${path}`,
  writable: false,
}));

describe("checkContainedStdin", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["no file", "/dev/null", true],
    ["a mounted file, by a link", at("linked"), true],
    ["a file in a mounted folder", at("data/dir/file"), true],
    ["a link in a mounted folder that leads elsewhere", at("data/dir/link"), false],
    ["a path that leaves a mounted folder", `${at("out")}/../secret`, false],
    ["a missing file", at("out/none"), false],
  ];
  for (const [name, stdin, isFine] of cases)
    it(`decides about ${name}: it is ${isFine ? "accepted" : "rejected"}`, async () => {
      const checked = checkContainedStdin({ stdin }, MOUNTS);
      await (isFine ? checked : assert.rejects(checked, CwlFailure));
    });
});
