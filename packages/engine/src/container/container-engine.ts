import type { ContainerPlace } from "@weft/shared/records/container-record.ts";
import type { Mount } from "../executor/executor.ts";

/**
 * Runs a job's command in a container. This port hides the differences between docker, podman, apptainer and
 * singularity: checking that they work, providing an image, building the command line of a job, and removing what is
 * left.
 */
export interface ContainerEngine {
  readonly kind: ContainerPlace;
  /** Runs the engine to find out whether it works here. Other methods may be called without it. */
  probe(): Promise<Probe>;
  /** The image, if it is already on this machine. */
  findImage(source: ImageSource): Promise<Image | undefined>;
  /** Fetches or builds the image. Rejects with a CwlFailure that gives the reason. */
  fetchImage(source: ImageSource, signal: AbortSignal): Promise<Image>;
  /** The program to start for a job; its exit is the job's exit. Pure. */
  command(job: ContainerJob): ContainerCommand;
  /** The engine's own error message if it failed rather than the job's command. */
  ownFailure(exitCode: number, stderrTail: string): string | undefined;
  /** Ids of the containers with a label (`weft.run=…`); always empty for engines that keep no containers. */
  containers(label: string, which: "running" | "all"): Promise<readonly string[]>;
  /** Kills and removes containers. */
  remove(ids: readonly string[]): Promise<void>;
}

export type Probe =
  /** `remarks`: complete sentences about this machine for its administrator. */
  | { readonly works: true; readonly version: string; readonly remarks?: readonly string[] }
  /** The end of a sentence: `is not installed`. */
  | { readonly works: false; readonly why: string };

/** The source of a job's image. */
export interface ImageSource {
  /** Name of the image once it is on this machine. */
  readonly name: string;
  readonly origin: ImageOrigin;
  /** `sha256:…`: only this exact image will do, whatever its name. Engines that cannot distinguish images ignore it. */
  readonly digest?: string;
}

export type ImageOrigin =
  | { readonly from: "pull"; readonly reference: string }
  /** Absolute path or http(s) URL of an archive saved by the engine, or of a file system. */
  | { readonly from: "load" | "import"; readonly address: string }
  | { readonly from: "build"; readonly dockerfile: string }
  /** An image that is known only by its id, because somebody added it to the store. */
  | { readonly from: "nowhere" };

export interface Image {
  readonly name: string;
  /** Identifies exactly this image on the engine's command line. */
  readonly reference: string;
  /** `sha256:…`; null if the engine does not report it. */
  readonly digest: string | null;
  /** Set if another image was requested by digest and is not available. */
  readonly missed?: { readonly digest: string; readonly why: string };
}

/** A job as it runs inside a container. */
export interface ContainerJob {
  readonly runId: string;
  readonly jobId: string;
  readonly attempt: number;
  readonly image: Image;
  /** May be empty; then the image's own command runs. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The output directory inside the container; one of the mounts. */
  readonly workdir: string;
  readonly mounts: readonly Mount[];
  readonly networkAccess: boolean;
  readonly limits: ContainerLimits;
}

/** Limits of a container; undefined means unlimited. */
export interface ContainerLimits {
  readonly cores: number | undefined;
  readonly ramMib: number | undefined;
}

export interface ContainerCommand {
  readonly argv: readonly string[];
  /** The environment of the engine's program, not of the job's command. */
  readonly env: Readonly<Record<string, string>>;
}
