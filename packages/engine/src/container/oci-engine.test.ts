import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImageSource } from "./container-engine.ts";
import { OciEngine } from "./oci-engine.ts";
import type { ProgramEnd } from "../executor/run-program.ts";
import { scriptedProgram } from "../testing/scripted-program.ts";

type Answers = Readonly<Record<string, readonly Partial<ProgramEnd>[]>>;

const INSPECT = "podman image inspect --format={{.Id}} {{range .RepoDigests}}{{.}} {{end}}";
const HERE = [{ stdout: "ab12 docker.io/library/debian@sha256:cd34 \n" }];
const GONE = { code: 125, stderr: "Error: image not known\n" };

const fails = (stderr: string, code = 126) => [{ code, stderr }];
const HYBRID = "Error: OCI runtime error: crun: cgroups in hybrid mode not supported\n";
/** Several problems in sequence. */
const MENDABLE: Answers = {
  "podman image": [{}],
  "podman --log-level=error --runtime=runc run": [
    ...fails("Error: runc: error setting rlimit type 7: operation not permitted\n"),
    {},
  ],
  "podman --log-level=error run": fails(HYBRID),
  "cat /proc/self/limits": [{ stdout: "Max open files            1024                 4096                 files\n" }],
};

function engineOf(kind: "docker" | "podman", answers: Answers) {
  const program = scriptedProgram(answers);
  return { engine: new OciEngine(kind, { run: program.run, clientEnv: {}, arch: "x64" }), calls: program.calls };
}

/** Podman with an image, whose attempts to run a container end like these. */
const podman = (run: readonly Partial<ProgramEnd>[], info = "4.3.1 rootless=false cgroups=v1\n"): Answers => ({
  ...{ "podman --version": [{}], "podman info": [{ stdout: info }], "podman image": [{}] },
  "podman --log-level=error run": run,
});
const WHY = "cannot run a container: OCI runtime error: crun: cgroups in hybrid mode not supported";

describe("probe", () => {
  const cases: Readonly<Record<string, readonly ["docker" | "podman", Answers, why: string]>> = {
    "reports an engine that is not installed": ["docker", {}, "is not installed"],
    "reports a service that does not answer": [
      "docker",
      { "docker --version": [{}], "docker info": fails("Cannot connect to the Docker daemon\n", 1) },
      "does not work: Cannot connect to the Docker daemon",
    ],
    "does not mistake podman for docker": [
      "docker",
      { "docker --version": [{ stdout: "podman version 4.3.1" }] },
      "is podman under another name",
    ],
    "reports why a container cannot be run": [
      "podman",
      { ...podman(fails("Error: no runc")), "podman image": [GONE], "podman import": [{}] },
      "cannot run a container: no runc",
    ],
    "gives up if no known workaround helps": [
      "podman",
      { ...podman(fails(HYBRID)), "podman --log-level=error": fails(HYBRID) },
      WHY,
    ],
    "names the runtime that is missing, and why the other one does not work": [
      "podman",
      {
        ...podman(fails(HYBRID)),
        "podman --log-level=error --runtime=runc run": fails('Error: default OCI runtime "runc" not found: no\n', 125),
      },
      `${WHY}, and runc is not installed`,
    ],
    "tries no workaround for docker, whose daemon Weft does not configure": [
      "docker",
      {
        ...{ "docker --version": [{}], "docker info": [{ stdout: "28.2 []" }], "docker image": [{}] },
        "docker run": fails(HYBRID),
      },
      WHY,
    ],
  };
  for (const [name, [kind, answers, why]] of Object.entries(cases))
    it(name, async () => assert.deepEqual(await engineOf(kind, answers).engine.probe(), { works: false, why }));

  const working: Readonly<Record<string, readonly [Answers, remarks: readonly string[]]>> = {
    "returns the version of an engine that ran a container": [podman([{}]), []],
    "finds flags with which podman works here, and names them": [
      { ...podman([]), ...MENDABLE },
      ["podman works here only with --runtime=runc --ulimit=nofile=1024:4096, so containers are started with it"],
    ],
    "reports a slow storage driver": [
      podman([{}], "4.3.1 rootless=true cgroups=v2 storage=vfs\n"),
      [
        "podman uses the storage driver vfs, which copies a whole image for each container; STORAGE_DRIVER=overlay may be faster",
      ],
    ],
  };
  for (const [name, [answers, remarks]] of Object.entries(working))
    it(name, async () => {
      const probe = await engineOf("podman", answers).engine.probe();
      assert.deepEqual(probe, { works: true, version: "4.3.1", remarks });
    });
});

it("jobs and builds use the flags with which podman works", async () => {
  const { engine, calls } = engineOf("podman", {
    ...{ "podman --version": [{}], "podman info": [{ stdout: "4.3.1" }], "podman --runtime=runc build": [{}] },
    ...{ [INSPECT]: HERE, ...MENDABLE },
  });
  await engine.probe();
  const job = { runId: "r", jobId: "j", attempt: 1, argv: [], env: {}, workdir: "/", mounts: [], networkAccess: true };
  const image = { name: "i", reference: "i", digest: null };
  const { argv } = engine.command({ ...job, image, limits: { cores: undefined, ramMib: undefined } });
  assert.deepEqual(argv.slice(0, 4), ["podman", "--log-level=error", "--runtime=runc", "run"]);
  assert.ok(argv.includes("--ulimit=nofile=1024:4096"));
  await engine.fetchImage({ name: "i", origin: { from: "build", dockerfile: "FROM x" } }, new AbortController().signal);
  assert.ok(calls.some((call) => call.startsWith("podman --runtime=runc build --ulimit=nofile=1024:4096 --tag i")));
});

describe("images", () => {
  const pull: ImageSource = { name: "debian", origin: { from: "pull", reference: "debian" } };
  const signal = new AbortController().signal;

  const pinned: ImageSource = { ...pull, digest: "sha256:cd34" };
  const exact = { name: "debian", reference: "sha256:ab12", digest: "sha256:cd34" };
  const ownOf = (calls: readonly string[]) => calls.filter((call) => !call.includes(" inspect "));

  it("are named by their id, with the digest that a registry knows", async () => {
    assert.deepEqual(await engineOf("podman", { [INSPECT]: HERE }).engine.findImage(pull), exact);
  });

  it("are found by their digest even if their tag has moved", async () => {
    const { engine, calls } = engineOf("podman", { [`${INSPECT} debian@sha256:cd34`]: HERE });
    assert.deepEqual(await engine.findImage(pinned), exact);
    assert.deepEqual(calls, [`${INSPECT} debian@sha256:cd34`]);
  });

  it("are found by their ID if no registry has them", async () => {
    const { engine } = engineOf("docker", { [`${INSPECT.replace("podman", "docker")} sha256:ab12`]: HERE });
    const own = { name: "mine", origin: { from: "nowhere" }, digest: "sha256:ab12" } as const;
    assert.deepEqual(await engine.findImage(own), { name: "mine", reference: "sha256:ab12", digest: "sha256:ab12" });
  });

  it("are not confused with other images", async () => {
    const { engine } = engineOf("docker", { "docker image": HERE });
    assert.equal(await engine.findImage({ ...pinned, digest: "sha256:ef56" }), undefined);
  });

  it("are pulled by their digest, and the tag does not move", async () => {
    const { engine, calls } = engineOf("podman", { "podman pull": [{}], [INSPECT]: HERE });
    assert.deepEqual(await engine.fetchImage(pinned, signal), exact);
    assert.deepEqual(ownOf(calls), ["podman pull --quiet docker.io/library/debian@sha256:cd34"]);
  });

  const fetches: Readonly<Record<string, readonly [ImageSource, Answers, readonly string[]]>> = {
    pulled: [pull, { "podman pull": [{}] }, ["podman pull --quiet docker.io/library/debian"]],
    "pulled and named": [
      { ...pull, name: "mine" },
      { "podman pull": [{}], "podman tag": [{}] },
      ["podman pull --quiet docker.io/library/debian", "podman tag docker.io/library/debian mine"],
    ],
    "loaded and named": [
      { name: "mine", origin: { from: "load", address: "/i.tar" } },
      { "podman load": [{ stdout: "Loaded image: localhost/x:1\n" }], "podman tag": [{}] },
      ["podman load --input /i.tar", "podman tag localhost/x:1 mine"],
    ],
    imported: [
      { name: "mine", origin: { from: "import", address: "http://h/i.tar" } },
      { "podman import": [{}] },
      ["podman import http://h/i.tar mine"],
    ],
  };
  for (const [name, [source, answers, expected]] of Object.entries(fetches))
    it(`are ${name}`, async () => {
      const { engine, calls } = engineOf("podman", { ...answers, [INSPECT]: HERE });
      assert.equal((await engine.fetchImage(source, signal)).reference, "sha256:ab12");
      assert.deepEqual(ownOf(calls), expected);
    });

  it("are built from a file in an empty folder", async () => {
    const { engine, calls } = engineOf("docker", { "docker build": [{}], "docker image": HERE });
    await engine.fetchImage({ name: "mine", origin: { from: "build", dockerfile: "FROM x" } }, signal);
    assert.match(calls[0] ?? "", /^docker build --tag mine --file (\S+)\/Dockerfile \1$/);
  });

  const failures: Readonly<Record<string, readonly [ImageSource, Answers, RegExp]>> = {
    "cannot be pulled": [pull, { "podman pull": fails("Error: no such host", 125) }, /pull` failed: no such host$/],
    "have no known origin": [{ name: "x", origin: { from: "nowhere" } }, {}, /does not say where to get it$/],
    "were built and no longer exist": [
      { name: "x", origin: { from: "build", dockerfile: "FROM x" }, digest: "sha256:cd34" },
      {},
      /x is not available: sha256:cd34 is not on this machine, and no registry is known that has it$/,
    ],
    "are in an archive without a name": [
      { name: "x", origin: { from: "load", address: "/i" } },
      { "podman load": [{}] },
      /contains no named image$/,
    ],
  };
  for (const [name, [source, answers, message]] of Object.entries(failures))
    it(`${name} are reported`, async () => {
      const { engine } = engineOf("podman", answers);
      await assert.rejects(engine.fetchImage(source, signal), { code: "STAGE_IN", message });
    });
});

it("containers are found by their label", async () => {
  const { engine, calls } = engineOf("docker", { "docker ps": [{ stdout: "a1\nb2\n" }] });
  assert.deepEqual(await engine.containers("weft.run=r", "all"), ["a1", "b2"]);
  assert.deepEqual(calls, ["docker ps --all --quiet --no-trunc --filter=label=weft.run=r"]);
  await assert.rejects(engineOf("docker", {}).engine.containers("x", "all"), /cannot list its containers/);
});
