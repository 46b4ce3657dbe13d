import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { jobPath } from "@weft/cwl/testing/job-path.ts";
import type { Mount } from "../executor/executor.ts";
import { viewInContainer } from "./container-view.ts";

const FOLDERS = {
  inside: { outdir: "/weft/out", tmpdir: "/tmp", stagedir: "/weft/in" },
  outside: { outdir: "/j/out", tmpdir: "/j/tmp", stagedir: "/j/in", elsewhere: "/j/else" },
  updatable: "/runs/r1",
};
const entry = (source: string, target: string) => ({ source: encodeURI(`file://${source}`), target: jobPath(target) });
const link = (source: string, target: string, of: "File" | "Directory" = "File"): StagingEntry => ({
  ...{ kind: "link", ...entry(source, target), of },
});
const copy = (source: string, target: string): StagingEntry => ({ kind: "copy", ...entry(source, target), of: "File" });
const text = (target: string, content = ""): StagingEntry => ({ kind: "text", text: content, target: jobPath(target) });
const folder = (target: string): StagingEntry => ({ kind: "folder", target: jobPath(target) });
const mount = (source: string, target: string, writable = false): Mount => ({ source, target, writable });

const OUT = mount("/j/out", "/weft/out", true);
const TMP = mount("/j/tmp", "/tmp", true);
const IN = mount("/j/in", "/weft/in");

describe("viewInContainer", () => {
  const cases: Readonly<Record<string, readonly [readonly StagingEntry[], readonly StagingEntry[], readonly Mount[]]>> =
    {
      "has output and temporary folder": [[], [], []],
      "mounts an input over an empty file": [
        [folder("/weft/in/0"), link("/d/a", "/weft/in/0/a")],
        [folder("/j/in/0"), text("/j/in/0/a")],
        [IN, mount("/d/a", "/weft/in/0/a")],
      ],
      "mounts a folder over an empty folder": [
        [link("/d/dir", "/weft/in/0/dir", "Directory")],
        [folder("/j/in/0/dir")],
        [IN, mount("/d/dir", "/weft/in/0/dir")],
      ],
      "writes a literal input": [[text("/weft/in/0/t", "hi")], [text("/j/in/0/t", "hi")], [IN]],
      "links from the output folder to where an input is mounted": [
        [link("/d/a b", "/weft/out/x/a")],
        [text("/j/in/work/0/a"), link("/weft/in/work/0/a", "/j/out/x/a")],
        [IN, mount("/d/a b", "/weft/in/work/0/a")],
      ],
      "copies what may be changed": [[copy("/d/a", "/weft/out/a")], [copy("/d/a", "/j/out/a")], []],
      "mounts files that are changed in place as writable": [
        [copy("/runs/r1/a", "/weft/out/a")],
        [text("/j/in/work/0/a"), link("/weft/in/work/0/a", "/j/out/a")],
        [IN, mount("/runs/r1/a", "/weft/in/work/0/a", true)],
      ],
      "creates entries from elsewhere in a folder next to it, and mounts them": [
        [folder("/etc"), text("/etc/x.conf", "c"), link("/d/a", "/opt/a"), copy("/d/b", "/opt/b")],
        [text("/j/else/0/x.conf", "c"), copy("/d/b", "/j/else/1/b")],
        [mount("/j/else/0/x.conf", "/etc/x.conf", true), mount("/d/a", "/opt/a"), mount("/j/else/1/b", "/opt/b", true)],
      ],
      "mounts an empty folder elsewhere": [
        [folder("/opt/empty")],
        [folder("/j/else/0/empty")],
        [mount("/j/else/0/empty", "/opt/empty", true)],
      ],
    };
  for (const [name, [plan, staging, mounts]] of Object.entries(cases))
    it(name, () => {
      const view = viewInContainer(plan, FOLDERS);
      assert.deepEqual(view.staging, staging);
      assert.deepEqual(view.mounts, [OUT, TMP, ...mounts]);
    });

  const plan = [link("/d/dir", "/weft/in/0/dir", "Directory"), link("/d/b", "/weft/out/b"), text("/etc/c", "")];
  const { toOutside } = viewInContainer(plan, FOLDERS);
  const places: readonly [string, string | undefined][] = [
    ["/weft/out", "/j/out"],
    ["/weft/out/x/y", "/j/out/x/y"],
    ["/weft/output", undefined],
    ["/weft/in/0/dir/file", "/d/dir/file"],
    ["/weft/in/1/literal", "/j/in/1/literal"],
    ["/weft/out/b", "/d/b"],
    ["/weft/in/work/0/b", "/d/b"],
    ["/tmp/t", "/j/tmp/t"],
    ["/etc/c", "/j/else/1/c"],
    ["/etc/passwd", undefined],
  ];
  for (const [inside, outside] of places) it(`finds ${inside} outside`, () => assert.equal(toOutside(inside), outside));
});
