import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { apptainerCommand, type ApptainerProgram } from "./apptainer-argv.ts";
import { apptainerFailure, stderrMessage } from "./client-failure.ts";
import type { ContainerCommand, ContainerEngine, ContainerJob, Image, ImageSource, Probe } from "./container-engine.ts";
import { pinnedReference, unavailable } from "./image-source.ts";
import type { RunProgram } from "../executor/run-program.ts";

export interface ApptainerOptions {
  readonly run: RunProgram;
  readonly clientEnv: Readonly<Record<string, string>>;
  /** Absolute path of the folder that keeps pulled images as files. */
  readonly imagesFolder: string;
}

/**
 * apptainer and singularity. Images are files, and a container is a tree of processes below the started program, so
 * ending the processes leaves nothing to remove.
 */
export class ApptainerEngine implements ContainerEngine {
  readonly kind: ApptainerProgram;
  readonly #options: ApptainerOptions;

  constructor(kind: ApptainerProgram, options: ApptainerOptions) {
    this.kind = kind;
    this.#options = options;
  }

  async probe(): Promise<Probe> {
    const { code, stdout } = await this.#options.run(this.kind, ["--version"], { timeoutMs: 60_000 });
    if (code !== 0) return { works: false, why: "is not installed" };
    return { works: true, version: /\d[\w.+-]*/.exec(stdout)?.[0] ?? "" };
  }

  async findImage(source: ImageSource): Promise<Image | undefined> {
    const exact = exactSource(source);
    const path = exact && this.#pathOf(exact);
    return path !== undefined && existsSync(path) ? imageAt(path, source) : undefined;
  }

  async fetchImage(requested: ImageSource, signal: AbortSignal): Promise<Image> {
    const source = exactSource(requested);
    if (source === undefined) throw unavailable(requested.name, "only a registry can identify an image by digest");
    const path = this.#pathOf(source);
    const part = `${path}.${process.pid}.part`;
    await mkdir(this.#options.imagesFolder, { recursive: true });
    try {
      const { code, stderr } = await this.#options.run(this.kind, fetchArgs(source, part, this.kind), { signal });
      if (code !== 0) throw unavailable(source.name, `\`${this.kind} build\` failed: ${stderrMessage(stderr)}`);
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
    return imageAt(path, requested);
  }

  command(job: ContainerJob): ContainerCommand {
    return apptainerCommand(job, this.kind, this.#options.clientEnv);
  }

  ownFailure(exitCode: number, stderrTail: string): string | undefined {
    return apptainerFailure(this.kind, exitCode, stderrTail);
  }

  async containers(): Promise<readonly string[]> {
    return [];
  }

  async remove(): Promise<void> {}

  /** `dockerImageId` may be the path of an image file or folder; every other image is kept under a derived name. */
  #pathOf({ name, origin }: ImageSource): string {
    if (name.startsWith("/")) return name;
    const digest = createHash("sha256").update(JSON.stringify(origin)).digest("hex").slice(0, 16);
    return join(this.#options.imagesFolder, `${name.replace(/[^A-Za-z0-9._-]+/g, "_").slice(0, 100)}-${digest}.sif`);
  }
}

/** Pulls by digest if the digest is known; undefined for images from other sources. */
function exactSource(source: ImageSource): ImageSource | undefined {
  if (source.digest === undefined) return source;
  const reference = pinnedReference(source);
  return reference === undefined ? undefined : { name: reference, origin: { from: "pull", reference } };
}

/** apptainer does not report an image's digest, but a registry delivers only the requested one. */
function imageAt(path: string, { name, digest }: ImageSource): Image {
  return { name, reference: path, digest: digest ?? null };
}

function fetchArgs({ name, origin }: ImageSource, path: string, program: string): readonly string[] {
  switch (origin.from) {
    case "pull": {
      const hasScheme = /^[a-z-]+:\/\//.test(origin.reference);
      return ["--quiet", "build", path, hasScheme ? origin.reference : `docker://${origin.reference}`];
    }
    case "load":
      if (origin.address.startsWith("/")) return ["--quiet", "build", path, `docker-archive:${origin.address}`];
      throw unavailable(name, `${program} loads only local archives, not ${origin.address}`);
    case "import":
      throw unavailable(name, `${program} does not support dockerImport; use docker or podman`);
    case "build":
      throw unavailable(name, `${program} does not support dockerFile; use docker or podman`);
    case "nowhere":
      throw unavailable(name, "there is no such image file, and DockerRequirement does not say where to get it");
  }
}
