import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apptainerCommand } from "./apptainer-argv.ts";
import type { Mount } from "../executor/executor.ts";
import type { ContainerJob } from "./container-engine.ts";

const OUT: Mount = { source: "/s/out", target: "/weft/out", writable: true };
const TMP: Mount = { source: "/s/tmp", target: "/tmp", writable: true };
const input = (source: string): Mount => ({ source, target: "/weft/in/0/a", writable: false });
const JOB: ContainerJob = {
  ...{ runId: "r1", jobId: "main", attempt: 1, argv: ["echo", "hi"], workdir: "/weft/out" },
  image: { name: "debian:12", reference: "/images/debian.sif", digest: null },
  env: { HOME: "/weft/out", TMPDIR: "/tmp", LIST: "a,b" },
  mounts: [OUT, TMP, input("/data/a")],
  networkAccess: false,
  limits: { cores: 1, ramMib: 100 },
};
const CLOSED = "--contain --cleanenv --ipc --pid";
const OFF = "--net --network=none";
const HOME = "--home /s/out:/weft/out";
const END = "--pwd /weft/out /images/debian.sif";
const MOUNTS = "--mount=type=bind,source=/s/tmp,target=/tmp --mount=type=bind,source=/data/a,target=/weft/in/0/a,ro";
const BINDS = "--bind=/s/tmp:/tmp:rw --bind=/data/a:/weft/in/0/a:ro";
const started = (mounts: string) => `exec ${CLOSED} --no-eval ${OFF} ${HOME} ${mounts} ${END} echo hi`;

describe("apptainerCommand", () => {
  const cases: Readonly<Record<string, readonly [Partial<ContainerJob>, "apptainer" | "singularity", string]>> = {
    "a job": [{}, "apptainer", started(MOUNTS)],
    "a job of singularity": [{}, "singularity", `exec ${CLOSED} ${OFF} ${HOME} ${BINDS} ${END} echo hi`],
    "a job with network": [{ networkAccess: true }, "apptainer", started(MOUNTS).replace(`${OFF} `, "")],
    "the image's own command": [{ argv: [] }, "singularity", `run ${CLOSED} ${OFF} ${HOME} ${BINDS} ${END}`],
    "a path that contains the flag's own word": [
      { mounts: [OUT, input("/readonly.nii")] },
      "apptainer",
      started("--mount=type=bind,source=/readonly.nii,target=/weft/in/0/a,ro"),
    ],
    "a comma in a path": [
      { mounts: [OUT, input("/a,b")] },
      "apptainer",
      started('--mount=type=bind,"source=/a,b",target=/weft/in/0/a,ro'),
    ],
  };
  for (const [name, [more, program, expected]] of Object.entries(cases))
    it(`starts ${name}`, () => {
      const { argv } = apptainerCommand({ ...JOB, ...more }, program, {});
      assert.deepEqual(argv, [program, "--quiet", ...expected.split(" ")]);
    });

  it("hands variables over by its own environment, without HOME", () => {
    const { env } = apptainerCommand(JOB, "apptainer", { PATH: "/bin" });
    assert.deepEqual(env, { PATH: "/bin", APPTAINERENV_TMPDIR: "/tmp", APPTAINERENV_LIST: "a,b" });
  });

  it("refuses paths that singularity cannot mount", () => {
    for (const mounts of [[OUT, input("/a:b")], [{ ...OUT, source: "/s,t/out" }]])
      assert.throws(() => apptainerCommand({ ...JOB, mounts }, "singularity", {}), { code: "STAGE_IN" });
  });
});
