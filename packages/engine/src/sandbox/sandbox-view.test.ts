import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { jobPath } from "@weft/cwl/testing/job-path.ts";
import type { SandboxPlaces } from "./sandbox-places.ts";
import { sandboxView, type SandboxedJob } from "./sandbox-view.ts";

/** The state folder is reached through a link, /home → /usr/home. */
const PLACES: SandboxPlaces = {
  hidden: [{ given: "/home/a/state", real: "/usr/home/a/state" }],
  temporary: [{ given: "/tmp", real: "/tmp" }],
  kept: ["/tmp/weft/catalog", "/opt/catalog", "/tmp"],
  filter: "/home/a/state/filter",
  runsFolder: "/home/a/state/runs",
  stores: ["/home/a/state/uploads"],
  devices: [],
  keptForNetwork: ["/tmp/resolv.conf"],
};
const RUN = "/home/a/state/runs/r";
const REAL_RUN = "/usr/home/a/state/runs/r";
const entry = (path: string) => ({ source: `file://${path}`, target: jobPath(`${RUN}/in/x`), of: "File" }) as const;
const link = (path: string): StagingEntry => ({ kind: "link", ...entry(path) });
const copy = (path: string): StagingEntry => ({ kind: "copy", ...entry(path) });

async function mountsOf(staging: readonly StagingEntry[], more: Partial<SandboxedJob> = {}) {
  const view = await sandboxView(
    {
      ...{ outdir: `${RUN}/jobs/j@1/out`, tmpdir: `${RUN}/jobs/j@1/tmp`, runFolder: RUN, staging },
      ...{ inplaceUpdate: false, networkAccess: false, realPath: async (path) => path, ...more },
    },
    PLACES,
  );
  return view.mounts.map(({ source, target, access }) =>
    `${access} ${source} ${target === source ? "" : target}`.trim(),
  );
}

/** The mounts that this job has in addition to those of every job. */
const moreOf = async (...job: Parameters<typeof mountsOf>) =>
  (await mountsOf(...job)).filter((mount) => !ALWAYS.includes(mount));

const ALWAYS = [
  `write ${RUN}/jobs/j@1/tmp /tmp`,
  "read /tmp/weft/catalog",
  `read ${RUN} ${REAL_RUN}`,
  `write ${RUN}/jobs/j@1/out ${REAL_RUN}/jobs/j@1/out`,
  `write ${RUN}/jobs/j@1/tmp ${REAL_RUN}/jobs/j@1/tmp`,
];

describe("the view of a job in its sandbox", () => {
  const cases: Readonly<Record<string, readonly [readonly StagingEntry[], Partial<SandboxedJob>, readonly string[]]>> =
    {
      "contains its run, read-only, and its own writable folders": [[], {}, []],
      "needs no mount for an input that is visible anyway": [[link("/data/a")], {}, []],
      "needs no mount for a result of the same run": [[link(`${RUN}/jobs/i@1/out/a`)], {}, []],
      "contains an upload that the job reads, but no other uploads": [
        [link("/home/a/state/uploads/u/a b")],
        {},
        ["read /home/a/state/uploads/u/a b /usr/home/a/state/uploads/u/a b"],
      ],
      "contains an input among temporary files once": [[link("/tmp/d/a"), link("/tmp/d/a")], {}, ["read /tmp/d/a"]],
      "contains the target of a link": [
        [link("/data/a")],
        { realPath: async () => "/usr/home/a/state/uploads/u/a" },
        ["read /usr/home/a/state/uploads/u/a"],
      ],
      "omits a dangling link": [[link("/data/a")], { realPath: async () => undefined }, []],
      "needs no mount for an input that is copied": [[copy(`${RUN}/jobs/i@1/out/a`)], {}, []],
    };
  for (const [name, [staging, more, wanted]] of Object.entries(cases))
    it(name, async () =>
      assert.deepEqual((await mountsOf(staging, more)).toSorted(), [...ALWAYS, ...wanted].toSorted()),
    );

  it("makes a file of its run writable if the job may update it in place, but no other file", async () => {
    const staging = [copy(`${RUN}/jobs/i@1/out/a`), copy("/tmp/a"), copy("/home/a/state/runs/other/outputs/a")];
    const more = await moreOf(staging, { inplaceUpdate: true });
    assert.deepEqual(more, [`write ${RUN}/jobs/i@1/out/a ${REAL_RUN}/jobs/i@1/out/a`]);
  });

  it("contains the files for name resolution if it has a network", async () => {
    assert.deepEqual(await moreOf([], { networkAccess: true }), ["read /tmp/resolv.conf"]);
  });

  it("contains a whole folder instead of more than a hundred files", async () => {
    const places = ["uploads/u#/a", "runs/o/outputs/#"].map((path) => `/home/a/state/${path}`);
    const staging = [...places, "/tmp/many/#", "/tmp/top-#"].flatMap((path) =>
      Array.from({ length: 60 }, (_, index) => link(path.replace("#", String(index)))),
    );
    const more = await moreOf(staging);
    assert.deepEqual(more.slice(0, 3), [
      "read /home/a/state/uploads /usr/home/a/state/uploads",
      "read /home/a/state/runs/o /usr/home/a/state/runs/o",
      "read /tmp/many",
    ]);
    // /tmp is never shown as a whole, not even for sixty of its files.
    assert.deepEqual([more.length, more.at(-1)], [63, "read /tmp/top-59"]);
  });
});
