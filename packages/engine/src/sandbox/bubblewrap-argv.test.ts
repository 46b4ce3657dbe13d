import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bubblewrapArgv } from "./bubblewrap-argv.ts";
import type { SandboxView } from "./bubblewrap-argv.ts";

const USER = { path: "/usr/bin/bwrap", isRoot: false };
const VIEW: SandboxView = {
  hidden: ["/srv/weft"],
  mounts: [
    { source: "/srv/weft/runs/r/jobs/j/out", target: "/srv/weft/runs/r/jobs/j/out", access: "write" },
    { source: "/srv/weft/runs/r", target: "/srv/weft/runs/r", access: "read" },
    { source: "/srv/weft/runs/r/jobs/j/tmp", target: "/tmp", access: "write" },
  ],
  hasSharedMemory: true,
  workdir: "/srv/weft/runs/r/jobs/j/out",
  networkAccess: false,
  streams: {},
};
const line = (view: Partial<SandboxView> = {}, isRoot = false) =>
  bubblewrapArgv({ ...USER, isRoot }, { ...VIEW, ...view }).join(" ");

describe("bubblewrapArgv", () => {
  it("mounts what is above before what is below, and closes hidden folders at last", () =>
    assert.equal(
      line().slice(0, line().indexOf("/bin/sh")),
      "/usr/bin/bwrap --die-with-parent --new-session --as-pid-1 --unshare-pid --unshare-ipc --unshare-net " +
        "--ro-bind / / --dev-bind /dev /dev --proc /proc --tmpfs /dev/shm " +
        "--bind /srv/weft/runs/r/jobs/j/tmp /tmp --tmpfs /srv/weft --ro-bind-try /srv/weft/runs/r /srv/weft/runs/r " +
        "--bind /srv/weft/runs/r/jobs/j/out /srv/weft/runs/r/jobs/j/out --remount-ro /srv/weft " +
        "--chdir /srv/weft/runs/r/jobs/j/out -- ",
    ));

  const cases: readonly (readonly [string, string, RegExp, boolean])[] = [
    ["takes the network away", line(), / --unshare-net /, true],
    ["leaves the network to a tool that asks for it", line({ networkAccess: true }), /--unshare-net/, false],
    ["takes no rights from an ordinary account, which has none", line(), /--cap-drop/, false],
    ["takes from root the right to undo it", line({}, true), / --cap-drop CAP_SYS_ADMIN /, true],
    ["leaves root its rights over files", line({}, true), /CAP_DAC|CAP_CHOWN|CAP_FOWNER|ALL/, false],
    ["makes no shared memory where the machine has none", line({ hasSharedMemory: false }), /shm/, false],
    ["ends with a shell whose first argument is the program", line(), /exit \$\? weft-job$/, true],
  ];
  for (const [name, text, wanted, isThere] of cases)
    it(name, () => (isThere ? assert.match(text, wanted) : assert.doesNotMatch(text, wanted)));
});
