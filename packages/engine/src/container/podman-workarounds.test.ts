import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fixPodman, NO_WORKAROUNDS, type PodmanWorkarounds } from "./podman-workarounds.ts";

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units     
Max processes             96365                96365                processes 
Max open files            1024                 20000                files     
32768
`;
const OWN = ["--ulimit=nofile=1024:20000", "--ulimit=nproc=32768:32768"];
const RUNC = ["--runtime=runc"];
const HYBRID = "Error: OCI runtime error: crun: cgroups in hybrid mode not supported, drop all controllers";
const BY_RUNC = "Error: runc: runc create failed: error setting rlimit type 7: operation not permitted: OCI";
const BY_CRUN = "Error: crun: setrlimit `RLIMIT_NOFILE`: Operation not permitted: OCI permission denied";
const NO_SYSTEMD = "Error: runc create failed: systemd not running on this host, cannot use systemd cgroups manager";
const using = (everywhere: readonly string[], starting: readonly string[] = []) => ({ everywhere, starting });

describe("fixPodman", () => {
  const cases: Readonly<Record<string, readonly [string, PodmanWorkarounds, PodmanWorkarounds | undefined]>> = {
    "uses runc if crun does not work on the machine": [HYBRID, NO_WORKAROUNDS, using(RUNC)],
    "passes the server's own limits if runc may not raise them": [BY_RUNC, NO_WORKAROUNDS, using([], OWN)],
    "passes the server's own limits if crun may not raise them": [BY_CRUN, NO_WORKAROUNDS, using([], OWN)],
    "creates control groups without systemd if there is none": [
      NO_SYSTEMD,
      NO_WORKAROUNDS,
      using(["--cgroup-manager=cgroupfs"]),
    ],
    "keeps the workarounds that it has already applied": [BY_RUNC, using(RUNC), using(RUNC, OWN)],
    "has no workaround for other problems": ["Error: no space left on device", NO_WORKAROUNDS, undefined],
    "does nothing twice": [HYBRID, using(RUNC), undefined],
    "does not set limits again that did not help": [BY_RUNC, using([], OWN), undefined],
  };
  for (const [name, [said, workarounds, expected]] of Object.entries(cases))
    it(name, () => assert.deepEqual(fixPodman(said, workarounds, LIMITS), expected));

  it("passes the server's own process limit if the machine allows more", () => {
    const mended = fixPodman(BY_RUNC, NO_WORKAROUNDS, LIMITS.replace("32768", "4194304"));
    assert.deepEqual(mended?.starting, ["--ulimit=nofile=1024:20000", "--ulimit=nproc=96365:96365"]);
  });

  it("adds no flags if limits are unknown or absent", () => {
    const unlimited = LIMITS.replaceAll(/\d+/g, "unlimited");
    for (const text of ["", unlimited]) assert.equal(fixPodman(BY_RUNC, NO_WORKAROUNDS, text), undefined);
  });
});
