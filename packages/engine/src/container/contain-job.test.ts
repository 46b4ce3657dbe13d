import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pathsInside } from "./contain-job.ts";

describe("pathsInside", () => {
  const cases: readonly [string | undefined, string, string][] = [
    [undefined, "/weft/out", "/tmp"],
    ["/other", "/other", "/tmp"],
    ["/a//b/", "/a/b", "/tmp"],
    ["/tmp/x", "/tmp/x", "/tmp"],
    ["/tmp", "/tmp", "/weft/tmp"],
  ];
  for (const [written, outdir, tmpdir] of cases) {
    it(`puts the folders of ${written ?? "a plain tool"} at ${outdir} and ${tmpdir}`, () => {
      const field = written === undefined ? {} : { dockerOutputDirectory: written };
      const paths = pathsInside({ class: "DockerRequirement", ...field });
      assert.deepEqual(paths, { outdir, tmpdir, stagedir: "/weft/in" });
    });
  }

  for (const written of ["", "out", "/", "/x/..", "/weft", "/weft/in/x"])
    it(`refuses ${JSON.stringify(written)}`, () =>
      assert.throws(() => pathsInside({ class: "DockerRequirement", dockerOutputDirectory: written }), {
        code: "INPUT_INVALID",
      }));
});
