import { cpSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectSuccess } from "../src/testing/run-in-process.ts";

it("passes the tests of the shipped catalog", async () => {
  const copy = temporaryFolder();
  for (const part of ["tools", "networks", "lib", "data"])
    cpSync(join(import.meta.dirname, "../../catalog", part), join(copy, part), { recursive: true });
  await expectSuccess(["test", copy, "--quiet", "--parallel", "2"]);
});
