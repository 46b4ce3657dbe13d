import { userInfo } from "node:os";
import type { ContainerCommand, ContainerEngine, ContainerJob, Image, ImageSource, Probe } from "./container-engine.ts";
import { ociFailure, stderrMessage } from "./client-failure.ts";
import { fetchOciImage, findOciImage } from "./oci-images.ts";
import { ociArgv, type OciFacts } from "./oci-argv.ts";
import { fixPodman, ALL_WORKAROUNDS, NO_WORKAROUNDS, OWN_LIMITS } from "./podman-workarounds.ts";
import { PROBE_IMAGE, PROBE_PROGRAM, probeImage } from "./probe-image.ts";
import type { RunProgram } from "../executor/run-program.ts";
import { holdsPlaceholder } from "../secrets/run-secrets.ts";

const PROBE_MS = 60_000;
const INFO = {
  docker: "{{.ServerVersion}} {{.SecurityOptions}}",
  podman:
    "{{.Version.Version}} rootless={{.Host.Security.Rootless}} cgroups={{.Host.CgroupsVersion}} storage={{.Store.GraphDriverName}}",
} as const;

const SLOW_STORAGE =
  "podman uses the storage driver vfs, which copies a whole image for each container; STORAGE_DRIVER=overlay may be faster";

/** podman's answer to `--runtime=runc`, which replaces a crun that failed. */
const NO_RUNC = /runtime "runc" not found/;

type OciProgram = OciFacts["program"];

export interface OciOptions {
  readonly run: RunProgram;
  /** Variables of this process that the engine's program needs, such as its socket and configuration. */
  readonly clientEnv: Readonly<Record<string, string>>;
  /** The processor architecture, as in `process.arch`. */
  readonly arch: string;
}

/** docker and podman, whose command lines are mostly the same. */
export class OciEngine implements ContainerEngine {
  readonly kind: OciProgram;
  readonly #options: OciOptions;
  #facts: OciFacts;

  constructor(kind: OciProgram, options: OciOptions) {
    this.kind = kind;
    this.#options = options;
    const { uid, gid } = userInfo();
    const rootless = uid !== 0 && kind === "podman";
    this.#facts = { program: kind, rootless, canLimit: true, workarounds: NO_WORKAROUNDS, user: { uid, gid } };
  }

  async probe(): Promise<Probe> {
    const named = await this.#run(["--version"]);
    if (named.code === null) return { works: false, why: "is not installed" };
    if (named.code !== 0) return { works: false, why: `does not work: ${stderrMessage(named.stderr)}` };
    if (this.kind === "docker" && /podman/i.test(named.stdout))
      return { works: false, why: "is podman under another name" };
    const info = await this.#run(["info", `--format=${INFO[this.kind]}`]);
    if (info.code !== 0) return { works: false, why: `does not work: ${stderrMessage(info.stderr)}` };
    const rootless = /rootless(?:=true|\b(?!=))/.test(info.stdout);
    // Without root, limits require version 2 of control groups.
    this.#facts = { ...this.#facts, rootless, canLimit: !(rootless && info.stdout.includes("cgroups=v1")) };
    const why = await this.#tryOut();
    if (why !== undefined) return { works: false, why };
    const version = info.stdout.split(" ")[0] ?? "";
    return { works: true, version, remarks: this.#remarks(info.stdout) };
  }

  /** Runs a container as jobs do; returns why that does not work. */
  async #tryOut(): Promise<string | undefined> {
    const archive = probeImage(this.#options.arch);
    if (archive === undefined) return undefined;
    if ((await this.#run(["image", "inspect", PROBE_IMAGE])).code !== 0) {
      const { code, stderr } = await this.#options.run(this.kind, ["import", "-", PROBE_IMAGE], {
        input: archive,
        timeoutMs: PROBE_MS,
      });
      if (code !== 0) return `cannot store an image: ${stderrMessage(stderr)}`;
    }
    const failure = await this.#tryFix();
    return failure === undefined ? undefined : `cannot run a container: ${stderrMessage(failure)}`;
  }

  /** The engine's own error if it cannot run any container. */
  async #tryFix(): Promise<string | undefined> {
    this.#facts = { ...this.#facts, workarounds: NO_WORKAROUNDS };
    let before = "";
    for (let mended = 0; ; mended++) {
      const [, ...args] = ociArgv(probeJob(), this.#facts);
      const { code, stderr } = await this.#run(args);
      if (code === 0) return undefined;
      if (NO_RUNC.test(stderr)) return `${before.trimEnd()}, and runc is not installed`;
      if (this.kind !== "podman" || mended === ALL_WORKAROUNDS) return stderr;
      const { stdout: ownLimits } = await this.#options.run("cat", OWN_LIMITS);
      const workarounds = fixPodman(stderr, this.#facts.workarounds, ownLimits);
      if (workarounds === undefined) return stderr;
      this.#facts = { ...this.#facts, workarounds };
      before = stderr;
    }
  }

  #remarks(info: string): readonly string[] {
    const { everywhere, starting } = this.#facts.workarounds;
    const flags = [...everywhere, ...starting];
    return [
      ...(flags.length > 0
        ? [`podman works here only with ${flags.join(" ")}, so containers are started with it`]
        : []),
      ...(/storage=vfs\b/.test(info) ? [SLOW_STORAGE] : []),
    ];
  }

  findImage(source: ImageSource): Promise<Image | undefined> {
    return findOciImage(source, this.kind, this.#options.run);
  }

  fetchImage(source: ImageSource, signal: AbortSignal): Promise<Image> {
    const { workarounds } = this.#facts;
    return fetchOciImage(source, { program: this.kind, run: this.#options.run, workarounds, signal });
  }

  command(job: ContainerJob): ContainerCommand {
    const { clientEnv } = this.#options;
    const hidden = hiddenVariables(job.env, clientEnv);
    return { argv: ociArgv(job, this.#facts, hidden), env: { ...clientEnv, ...hidden } };
  }

  ownFailure(exitCode: number, stderrTail: string): string | undefined {
    return ociFailure(this.kind, exitCode, stderrTail);
  }

  async containers(label: string, which: "running" | "all"): Promise<readonly string[]> {
    const scope = which === "all" ? ["--all"] : [];
    const { code, stdout, stderr } = await this.#run([
      "ps",
      ...scope,
      "--quiet",
      "--no-trunc",
      `--filter=label=${label}`,
    ]);
    if (code !== 0) throw new Error(`${this.kind} cannot list its containers: ${stderrMessage(stderr)}`);
    return stdout.split("\n").filter((id) => id !== "");
  }

  async remove(ids: readonly string[]): Promise<void> {
    // Fails if one has disappeared meanwhile; the caller checks again whether any is left.
    if (ids.length > 0) await this.#run(["rm", "--force", ...ids]);
  }

  #run(args: readonly string[]) {
    return this.#options.run(this.kind, args, { timeoutMs: PROBE_MS });
  }
}

function probeJob(): ContainerJob {
  return {
    runId: `probe-${process.pid}`,
    jobId: "probe",
    attempt: 1,
    image: { name: PROBE_IMAGE, reference: PROBE_IMAGE, digest: null },
    argv: [PROBE_PROGRAM],
    env: {},
    workdir: "/",
    mounts: [],
    networkAccess: false,
    limits: { cores: undefined, ramMib: undefined },
  };
}

type Variables = Readonly<Record<string, string>>;

/**
 * Job variables that are passed to a container engine by name only: every account of the machine can read its command
 * line, so it takes the values from its environment. If a name has a meaning for the engine's own program, the value
 * must be on the command line.
 */
export function hiddenVariables(env: Variables, clientEnv: Variables): Variables {
  const isHidden = ([name, value]: [string, string]) => holdsPlaceholder(value) && !Object.hasOwn(clientEnv, name);
  return Object.fromEntries(Object.entries(env).filter(isHidden));
}
