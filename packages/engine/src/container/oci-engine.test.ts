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

const HYBRID = "Error: OCI runtime error: crun: cgroups in hybrid mode not supported\n";
/** Several problems in sequence. */
const MENDABLE: Answers = {
  "podman image": [{}],
  "podman --log-level=error --runtime=runc run": [
    { code: 126, stderr: "Error: runc: error setting rlimit type 7: operation not permitted\n" },
    {},
  ],
  "podman --log-level=error run": [{ code: 126, stderr: HYBRID }],
  "cat /proc/self/limits": [{ stdout: "Max open files            1024                 4096                 files\n" }],
};

function engineOf(kind: "docker" | "podman", answers: Answers) {
  const program = scriptedProgram(answers);
  return { engine: new OciEngine(kind, { run: program.run, clientEnv: {}, arch: "x64" }), calls: program.calls };
}

describe("probe", () => {
  const podman = { "podman --version": [{}], "podman info": [{ stdout: "4.3.1 rootless=false cgroups=v1\n" }] };
  const cases: Readonly<Record<string, readonly ["docker" | "podman", Answers, object]>> = {
    "reports an engine that is not installed": ["docker", {}, { works: false, why: "is not installed" }],
    "reports a service that does not answer": [
      "docker",
      { "docker --version": [{}], "docker info": [{ code: 1, stderr: "Cannot connect to the Docker daemon\n" }] },
      { works: false, why: "does not work: Cannot connect to the Docker daemon" },
    ],
    "does not mistake podman for docker": [
      "docker",
      { "docker --version": [{ stdout: "podman version 4.3.1" }] },
      { works: false, why: "is podman under another name" },
    ],
    "reports why a container cannot be run": [
      "podman",
      {
        ...podman,
        "podman image": [GONE],
        "podman import": [{}],
        "podman --log": [{ code: 126, stderr: "Error: no runc" }],
      },
      { works: false, why: "cannot run a container: no runc" },
    ],
    "returns the version of an engine that ran a container": [
      "podman",
      { ...podman, "podman image": [{}], "podman --log-level=error run": [{}] },
      { works: true, version: "4.3.1", remarks: [] },
    ],
    "finds flags with which podman works here, and names them": [
      "podman",
      { ...podman, ...MENDABLE },
      {
        works: true,
        version: "4.3.1",
        remarks: [
          "podman works here only with --runtime=runc --ulimit=nofile=1024:4096, so containers are started with it",
        ],
      },
    ],
    "gives up if no known workaround helps": [
      "podman",
      { ...podman, "podman image": [{}], "podman --log-level=error": [{ code: 126, stderr: HYBRID }] },
      { works: false, why: "cannot run a container: OCI runtime error: crun: cgroups in hybrid mode not supported" },
    ],
    "names the runtime that is missing, and why the other one does not work": [
      "podman",
      {
        ...podman,
        "podman image": [{}],
        "podman --log-level=error run": [{ code: 126, stderr: HYBRID }],
        "podman --log-level=error --runtime=runc run": [
          { code: 125, stderr: 'Error: default OCI runtime "runc" not found: invalid argument\n' },
        ],
      },
      {
        works: false,
        why: "cannot run a container: OCI runtime error: crun: cgroups in hybrid mode not supported, and runc is not installed",
      },
    ],
    "tries no workaround for docker, whose daemon Weft does not configure": [
      "docker",
      {
        "docker --version": [{}],
        "docker info": [{ stdout: "28.2 []" }],
        "docker image": [{}],
        "docker run": [{ code: 126, stderr: HYBRID }],
      },
      { works: false, why: "cannot run a container: OCI runtime error: crun: cgroups in hybrid mode not supported" },
    ],
    "reports a slow storage driver": [
      "podman",
      {
        "podman --version": [{}],
        "podman info": [{ stdout: "4.3.1 rootless=true cgroups=v2 storage=vfs\n" }],
        "podman image": [{}],
        "podman --log-level=error run": [{}],
      },
      {
        works: true,
        version: "4.3.1",
        remarks: [
          "podman uses the storage driver vfs, which copies a whole image for each container; STORAGE_DRIVER=overlay may be faster",
        ],
      },
    ],
  };
  for (const [name, [kind, answers, expected]] of Object.entries(cases))
    it(name, async () => assert.deepEqual(await engineOf(kind, answers).engine.probe(), expected));
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

  it("are named by their id, with the digest that a registry knows", async () => {
    const { engine } = engineOf("podman", { [INSPECT]: HERE });
    assert.deepEqual(await engine.findImage(pull), { name: "debian", reference: "sha256:ab12", digest: "sha256:cd34" });
  });

  const pinned: ImageSource = {
    name: "debian:12",
    origin: { from: "pull", reference: "debian:12" },
    digest: "sha256:cd34",
  };
  const exact = { name: "debian:12", reference: "sha256:ab12", digest: "sha256:cd34" };

  it("are found by their digest even if their tag has moved", async () => {
    const { engine, calls } = engineOf("podman", { [`${INSPECT} debian@sha256:cd34`]: HERE });
    assert.deepEqual(await engine.findImage(pinned), exact);
    assert.deepEqual(calls, [`${INSPECT} debian@sha256:cd34`]);
  });

  it("are found by their ID if no registry has them", async () => {
    const { engine } = engineOf("docker", {
      "docker image inspect --format={{.Id}} {{range .RepoDigests}}{{.}} {{end}} sha256:ab12": HERE,
    });
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
    assert.deepEqual(
      calls.filter((call) => !call.includes(" inspect ")),
      ["podman pull --quiet docker.io/library/debian@sha256:cd34"],
    );
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
      assert.deepEqual(
        calls.filter((call) => !call.includes(" inspect ")),
        expected,
      );
    });

  it("are built from a file in an empty folder", async () => {
    const { engine, calls } = engineOf("docker", { "docker build": [{}], "docker image": HERE });
    await engine.fetchImage({ name: "mine", origin: { from: "build", dockerfile: "FROM x" } }, signal);
    assert.match(calls[0] ?? "", /^docker build --tag mine --file (\S+)\/Dockerfile \1$/);
  });

  const failures: Readonly<Record<string, readonly [ImageSource, Answers, RegExp]>> = {
    "cannot be pulled": [
      pull,
      { "podman pull": [{ code: 125, stderr: "Error: no such host" }] },
      /pull` failed: no such host$/,
    ],
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
