import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContainerJob } from "./container-engine.ts";
import { mountText, ociArgv, type OciFacts } from "./oci-argv.ts";
import { NO_WORKAROUNDS } from "./podman-workarounds.ts";
import { hiddenVariables } from "./oci-engine.ts";

const JOB: ContainerJob = {
  ...{ runId: "r1", jobId: "smooth-2", attempt: 1, argv: ["echo", "a b"], workdir: "/weft/out" },
  image: { name: "debian:12", reference: "sha256:ab", digest: "sha256:cd" },
  env: { HOME: "/weft/out", WORD: "x=y z" },
  mounts: [
    { source: "/s/out", target: "/weft/out", writable: true },
    { source: "/data/a.txt", target: "/weft/in/0/a.txt", writable: false },
  ],
  networkAccess: false,
  limits: { cores: undefined, ramMib: undefined },
};
const ROOT: OciFacts = {
  ...{ program: "docker", rootless: false, canLimit: true, workarounds: NO_WORKAROUNDS },
  user: { uid: 0, gid: 0 },
};
const ANN = { rootless: true, user: { uid: 1000, gid: 1001 } };
const PODMAN = { ...ROOT, program: "podman" } as const;

describe("ociArgv", () => {
  it("gives the whole command line", () => {
    const flags =
      "--rm --interactive --init --pull=never --log-driver=none --name=weft-r1-smooth-2-a1 --label=weft.run=r1 " +
      "--label=weft.job=r1/smooth-2/1 --stop-timeout=0 --read-only --security-opt=label=disable --user=0:0 " +
      "--network=none --mount=type=bind,source=/s/out,target=/weft/out " +
      "--mount=type=bind,source=/data/a.txt,target=/weft/in/0/a.txt,readonly --workdir=/weft/out --env=HOME=/weft/out";
    const command = ["--env=WORD=x=y z", "sha256:ab", "echo", "a b"];
    assert.deepEqual(ociArgv(JOB, ROOT), ["docker", "run", ...flags.split(" "), ...command]);
  });

  const limited = { ...JOB, limits: { cores: 1.5, ramMib: 512 } };
  const small = { ...JOB, limits: { cores: undefined, ramMib: 64 } };
  /** Flags that must be there, and beginnings of flags that must not. */
  const cases: Readonly<Record<string, readonly [ContainerJob, OciFacts, present: string, missing: string]>> = {
    "limits cores and memory": [limited, ROOT, "--cpus=1.5 --memory=512m", ""],
    "leaves out limits that would be ignored": [limited, { ...ROOT, canLimit: false }, "", "--cpus --memory"],
    "limits memory alone": [small, ROOT, "--memory=64m", "--cpus"],
    "leaves the network on for tools that request it": [{ ...JOB, networkAccess: true }, ROOT, "", "--network=none"],
    "runs as the account of the server": [JOB, { ...ROOT, user: ANN.user }, "--user=1000:1001", "--userns=keep-id"],
    "is root inside of a rootless docker": [JOB, { ...ROOT, ...ANN }, "--user=0:0", ""],
    "keeps podman's messages and proxies out of the job": [
      JOB,
      PODMAN,
      "--log-level=error --http-proxy=false",
      "--userns",
    ],
    "keeps the id in a rootless podman": [JOB, { ...PODMAN, ...ANN }, "--userns=keep-id --user=1000:1001", ""],
  };
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  for (const [name, [job, facts, present, missing]] of Object.entries(cases))
    it(name, () => {
      const argv = ociArgv(job, facts);
      for (const flag of words(present)) assert.ok(argv.includes(flag), flag);
      for (const start of words(missing)) assert.ok(!argv.some((flag) => flag.startsWith(start)), start);
    });

  it("ends with the image if the tool has no command line", () =>
    assert.equal(ociArgv({ ...JOB, argv: [] }, ROOT).at(-1), "sha256:ab"));
});

describe("mountText", () => {
  const cases: readonly [string, string][] = [
    ["/a b", "type=bind,source=/a b,target=/t,readonly"],
    ["/a:b", "type=bind,source=/a:b,target=/t,readonly"],
    ["/a,b", 'type=bind,"source=/a,b",target=/t,readonly'],
    ['/a"b', 'type=bind,"source=/a""b",target=/t,readonly'],
  ];
  for (const [source, expected] of cases)
    it(`writes ${source}`, () => assert.equal(mountText({ source, target: "/t", writable: false }), expected));
});

it("a variable with a secret is named on the command line, and its value is not", () => {
  const secret = "(secret-01234567-89ab-cdef-0123-456789abcdef)";
  const env = { WORD: "plain", PASSWORD: `p=${secret}`, DOCKER_HOST: secret };
  const hidden = hiddenVariables(env, { DOCKER_HOST: "unix:///d", HOME: "/root" });
  assert.deepEqual(hidden, { PASSWORD: env.PASSWORD });
  assert.deepEqual(
    ociArgv({ ...JOB, env }, ROOT, hidden).filter((word) => word.startsWith("--env=")),
    ["--env=WORD=plain", "--env=PASSWORD", `--env=DOCKER_HOST=${secret}`],
  );
});
