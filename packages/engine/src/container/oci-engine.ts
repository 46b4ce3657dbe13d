import { userInfo } from "node:os";
import type { ContainerCommand, ContainerEngine, ContainerJob, Image, ImageSource, Probe } from "./container-engine.ts";
import { ociFailure, saidBy } from "./client-failure.ts";
import { fetchOciImage, findOciImage } from "./oci-images.ts";
import { hiddenVariables } from "./hidden-variables.ts";
import { ociArgv } from "./oci-argv.ts";
import type { OciFacts } from "./oci-argv.ts";
import { PROBE_IMAGE, PROBE_PROGRAM, probeImage } from "./probe-image.ts";
import type { RunProgram } from "../run-program.ts";

const PROBE_MS = 60_000;
const INFO = {
  docker: "{{.ServerVersion}} {{.SecurityOptions}}",
  podman: "{{.Version.Version}} rootless={{.Host.Security.Rootless}} cgroups={{.Host.CgroupsVersion}}",
} as const;

type OciProgram = OciFacts["program"];

export interface OciOptions {
  readonly run: RunProgram;
  /** Of this process, for the program of the engine: where its socket is, its configuration. */
  readonly clientEnv: Readonly<Record<string, string>>;
  /** As `process.arch`. */
  readonly arch: string;
}

/** docker and podman, whose command lines are the same for most of what is needed here. */
export class OciEngine implements ContainerEngine {
  readonly kind: OciProgram;
  readonly #options: OciOptions;
  #facts: OciFacts;

  constructor(kind: OciProgram, options: OciOptions) {
    this.kind = kind;
    this.#options = options;
    const { uid, gid } = userInfo();
    this.#facts = { program: kind, rootless: uid !== 0 && kind === "podman", canLimit: true, user: { uid, gid } };
  }

  async probe(): Promise<Probe> {
    const named = await this.#run(["--version"]);
    if (named.code !== 0) return { works: false, why: "is not installed" };
    if (this.kind === "docker" && /podman/i.test(named.stdout))
      return { works: false, why: "is podman under another name" };
    const info = await this.#run(["info", `--format=${INFO[this.kind]}`]);
    if (info.code !== 0) return { works: false, why: `does not work: ${saidBy(info.stderr)}` };
    const rootless = /rootless(?:=true|\b(?!=))/.test(info.stdout);
    // Without root there are no limits below the first version of control groups.
    this.#facts = { ...this.#facts, rootless, canLimit: !(rootless && info.stdout.includes("cgroups=v1")) };
    return this.#tryOut(info.stdout.split(" ")[0] ?? "");
  }

  /** Runs a container as jobs are run. */
  async #tryOut(version: string): Promise<Probe> {
    const archive = probeImage(this.#options.arch);
    if (archive === undefined) return { works: true, version };
    if ((await this.#run(["image", "inspect", PROBE_IMAGE])).code !== 0) {
      const { code, stderr } = await this.#options.run(this.kind, ["import", "-", PROBE_IMAGE], {
        input: archive,
        timeoutMs: PROBE_MS,
      });
      if (code !== 0) return { works: false, why: `cannot keep an image: ${saidBy(stderr)}` };
    }
    const [, ...args] = ociArgv(probeJob(), this.#facts);
    const { code, stderr } = await this.#run(args);
    return code === 0 ? { works: true, version } : { works: false, why: `cannot run a container: ${saidBy(stderr)}` };
  }

  findImage(source: ImageSource): Promise<Image | undefined> {
    return findOciImage(source, this.kind, this.#options.run);
  }

  fetchImage(source: ImageSource, signal: AbortSignal): Promise<Image> {
    return fetchOciImage(source, { program: this.kind, run: this.#options.run, signal });
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
    if (code !== 0) throw new Error(`${this.kind} does not tell its containers: ${saidBy(stderr)}`);
    return stdout.split("\n").filter((id) => id !== "");
  }

  async remove(ids: readonly string[]): Promise<void> {
    // One that is gone meanwhile makes it fail; whether any is left is asked again in any case.
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
