import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import { containerLimits, pathsInside } from "./job-container.ts";

describe("containerLimits", () => {
  const cases: readonly [Record<string, number>, number | undefined, number | undefined][] = [
    [{}, undefined, undefined],
    [{ coresMin: 2, ramMin: 500 }, 2, 500],
    [{ coresMin: 1, coresMax: 3, ramMin: 500, ramMax: 900 }, 3, 900],
    [{ coresMin: 32, ramMin: 1 }, 4, 64],
  ];
  for (const [written, cores, ramMib] of cases)
    it(`takes ${cores ?? "any number of"} cores and ${ramMib ?? "any"} MiB from ${JSON.stringify(written)}`, () => {
      const requirement = { class: "ResourceRequirement", ...written } as const;
      const requirements = effectiveRequirements([{ requirements: [requirement], hints: [] }]);
      const { coresMin = 1, coresMax, ramMin = 256, ramMax } = written;
      const resources = { coresMin, coresMax, ramMin, ramMax, tmpdirMin: 0, outdirMin: 0 };
      assert.deepEqual(containerLimits({ requirements, resources }, 4), { cores, ramMib });
    });
});

describe("pathsInside", () => {
  const cases: readonly [string | undefined, string, string][] = [
    [undefined, "/weft/out", "/tmp"],
    ["/other", "/other", "/tmp"],
    ["/a//b/", "/a/b", "/tmp"],
    ["/tmp/x", "/tmp/x", "/tmp"],
    ["/tmp", "/tmp", "/weft/tmp"],
  ];
  for (const [written, outdir, tmpdir] of cases)
    it(`puts the folders of ${written ?? "a plain tool"} at ${outdir} and ${tmpdir}`, () => {
      const field = written === undefined ? {} : { dockerOutputDirectory: written };
      const paths = pathsInside({ class: "DockerRequirement", ...field });
      assert.deepEqual(paths, { outdir, tmpdir, stagedir: "/weft/in" });
    });

  for (const written of ["", "out", "/", "/x/..", "/weft", "/weft/in/x"])
    it(`refuses ${JSON.stringify(written)}`, () =>
      assert.throws(() => pathsInside({ class: "DockerRequirement", dockerOutputDirectory: written }), {
        code: "INPUT_INVALID",
      }));
});
