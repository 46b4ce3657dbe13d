import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bubblewrapArgv, type SandboxView } from "./bubblewrap-argv.ts";

const USER = { bubblewrap: "/usr/bin/bwrap", launcher: "/opt/weft-exec", isRoot: false, listsKeys: false };
const VIEW: SandboxView = {
  hidden: ["/srv/weft"],
  mounts: [
    { source: "/srv/weft/runs/r/jobs/j/out", target: "/srv/weft/runs/r/jobs/j/out", access: "write" },
    { source: "/srv/weft/runs/r", target: "/srv/weft/runs/r", access: "read" },
    { source: "/srv/weft/runs/r/jobs/j/tmp", target: "/tmp", access: "write" },
  ],
  devices: ["/dev/dri"],
  workdir: "/srv/weft/runs/r/jobs/j/out",
  networkAccess: false,
};
const line = (view: Partial<SandboxView> = {}, isRoot = false, listsKeys = false) =>
  bubblewrapArgv({ ...USER, isRoot, listsKeys }, { ...VIEW, ...view }).join(" ");

describe("bubblewrapArgv", () => {
  it("mounts outer folders before inner ones, and closes hidden folders last", () =>
    assert.equal(
      line(),
      "/usr/bin/bwrap --die-with-parent --new-session --unshare-pid --unshare-ipc --unshare-net --seccomp 4 " +
        "--ro-bind / / --dev /dev --dev-bind-try /dev/dri /dev/dri --proc /proc " +
        "--bind /srv/weft/runs/r/jobs/j/tmp /tmp --tmpfs /srv/weft --ro-bind-try /srv/weft/runs/r /srv/weft/runs/r " +
        "--bind /srv/weft/runs/r/jobs/j/out /srv/weft/runs/r/jobs/j/out --remount-ro /srv/weft " +
        "--chdir /srv/weft/runs/r/jobs/j/out -- /opt/weft-exec --launch 3",
    ));

  const ofRoot = line({}, true);
  const cases: readonly (readonly [string, string, RegExp, boolean])[] = [
    ["leaves the network to a tool that requests it", line({ networkAccess: true }), /--unshare-net/, false],
    ["takes from root all rights but those over files", ofRoot, / --cap-drop ALL --cap-add CAP_CHOWN /, true],
    ["takes from root the right to open files by handles", ofRoot, /DAC_READ_SEARCH|SYS_/, false],
    ["keeps root from the settings of the kernel", ofRoot, / --proc \/proc --remount-ro \/proc /, true],
    ["covers the list of keys", line({}, true, true), / \/proc --ro-bind \/dev\/null \/proc\/keys /, true],
  ];
  for (const [name, text, wanted, isThere] of cases)
    it(name, () => (isThere ? assert.match(text, wanted) : assert.doesNotMatch(text, wanted)));
});
