import type { ContainerPlace } from "@weft/shared/records/container-record.ts";
import type { Mount } from "../executor/executor.ts";

/**
 * What can run a job's command in a container. Everything that a job needs to know of docker, podman, apptainer and
 * singularity is behind this port: how they are found out to work, how an image comes to be there, the command line that
 * runs a job, and how what was left of it is taken away.
 */
export interface ContainerEngine {
  readonly kind: ContainerPlace;
  /** Finds out by running it whether the engine works here. Other methods may be called without. */
  probe(): Promise<Probe>;
  /** The image, where it is on this machine already. */
  findImage(source: ImageSource): Promise<Image | undefined>;
  /** Brings the image to this machine; rejects with a CwlFailure that says why it cannot. */
  fetchImage(source: ImageSource, signal: AbortSignal): Promise<Image>;
  /** The program to start for a job, whose end is the job's. Pure. */
  command(job: ContainerJob): ContainerCommand;
  /** What the program itself said where it, and not the job's command, failed. */
  ownFailure(exitCode: number, stderrTail: string): string | undefined;
  /** Ids of the containers that carry a label (`weft.run=…`); of engines without containers of their own always none. */
  containers(label: string, which: "running" | "all"): Promise<readonly string[]>;
  /** Ends containers at once and removes them. */
  remove(ids: readonly string[]): Promise<void>;
}

export type Probe =
  /** `remarks`: whole sentences about this machine for its administrator. */
  | { readonly works: true; readonly version: string; readonly remarks?: readonly string[] }
  /** Half a sentence: `is not installed`. */
  | { readonly works: false; readonly why: string };

/** Where a job's image comes from. */
export interface ImageSource {
  /** What it is called once it is here. */
  readonly name: string;
  readonly origin: ImageOrigin;
  /** `sha256:…`: this very image and no other of the name. Engines that cannot tell images apart pass it over. */
  readonly digest?: string;
}

export type ImageOrigin =
  | { readonly from: "pull"; readonly reference: string }
  /** Absolute path or http(s) address of an archive that the engine wrote, or of a file system. */
  | { readonly from: "load" | "import"; readonly address: string }
  | { readonly from: "build"; readonly dockerfile: string }
  /** Named by its id alone: somebody else put it here. */
  | { readonly from: "nowhere" };

export interface Image {
  readonly name: string;
  /** What names exactly this image on the engine's command line. */
  readonly reference: string;
  /** `sha256:…`; null where the engine does not tell. */
  readonly digest: string | null;
  /** Set where another was asked for by its digest and could not be had. */
  readonly missed?: { readonly digest: string; readonly why: string };
}

/** A job as it runs inside a container. */
export interface ContainerJob {
  readonly runId: string;
  readonly jobId: string;
  readonly attempt: number;
  readonly image: Image;
  /** May be empty: then the image's own command runs. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The output folder inside; one of the mounts. */
  readonly workdir: string;
  readonly mounts: readonly Mount[];
  readonly networkAccess: boolean;
  readonly limits: ContainerLimits;
}

/** Undefined: not limited. */
export interface ContainerLimits {
  readonly cores: number | undefined;
  readonly ramMib: number | undefined;
}

export interface ContainerCommand {
  readonly argv: readonly string[];
  /** The environment of the program itself, not of the job's command. */
  readonly env: Readonly<Record<string, string>>;
}
