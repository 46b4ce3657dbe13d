import assert from "node:assert/strict";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { publishVersions } from "./publish-version.ts";

const VERSION = {
  kind: "tool",
  id: "first-lines",
  version: "1.0.0",
  text: "class: CommandLineTool\n",
  by: "ann",
} as const;

describe("a published version", () => {
  for (const mode of [0o755, 0o775, 0o750])
    it(`may be read by those who may read a catalog of mode ${mode.toString(8)}`, async () => {
      const root = temporaryFolder();
      const base = join(root, "base");
      await mkdir(join(base, "tests"), { recursive: true, mode: 0o700 });
      await writeFile(join(base, "run.sh"), "", { mode: 0o700 });
      await writeFile(join(base, "tests/small.yml"), "", { mode: 0o600 });
      await chmod(root, mode);
      const at = "2026-11-21T02:02:14.617Z";
      await publishVersions(root, [{ ...VERSION, at, base: { folder: base, version: "1.0.0" } }]);
      const modeOf = async (path: string) => (await stat(join(root, "tools", path))).mode & 0o777;
      for (const folder of ["", "first-lines", "first-lines/1.0.0", "first-lines/1.0.0/tests"])
        assert.equal(await modeOf(folder), mode, folder);
      assert.equal(await modeOf("first-lines/1.0.0/run.sh"), mode);
      for (const file of ["first-lines.cwl", "tests/small.yml"])
        assert.equal(await modeOf(`first-lines/1.0.0/${file}`), mode & 0o666, file);
    });
});
