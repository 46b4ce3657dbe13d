import type { JobPath, RelativePath } from "./safe-name.ts";
import type { CwlObject } from "./cwl-value.ts";

/** The value of `runtime` in expressions. Sizes in MiB. CWL v1.2 CommandLineTool.html#Runtime_environment. */
export interface Runtime {
  readonly outdir: string;
  readonly tmpdir: string;
  readonly cores: number;
  readonly ram: number;
  readonly outdirSize: number;
  readonly tmpdirSize: number;
  /** Present only while outputs are collected. */
  readonly exitCode?: number;
}

/** Folders that the job sees, as absolute paths without a trailing slash. */
export interface JobPaths {
  readonly outdir: string;
  readonly tmpdir: string;
  /** The folder below which input files are staged, each primary file in its own folder with its secondary files. */
  readonly stagedir: string;
}

/** The resources that a job requests, with expressions evaluated. Memory and storage in MiB; cores may be fractional. */
export interface ResourceRequest {
  readonly coresMin: number;
  readonly coresMax: number | undefined;
  readonly ramMin: number;
  readonly ramMax: number | undefined;
  readonly tmpdirMin: number;
  readonly outdirMin: number;
}

/** One operation that prepares a job's folders, parents first. Targets are absolute paths as the job sees them. */
export type StagingEntry =
  | { readonly kind: "folder"; readonly target: JobPath }
  /** Makes the source readable at the target, without a copy if the executor can. */
  | { readonly kind: "link"; readonly source: string; readonly target: JobPath; readonly of: "File" | "Directory" }
  /** Copies the source, recursively for a folder, because the job may change it. */
  | { readonly kind: "copy"; readonly source: string; readonly target: JobPath; readonly of: "File" | "Directory" }
  | { readonly kind: "text"; readonly text: string; readonly target: JobPath };

/** Everything that an executor needs to run a CommandLineTool once. Pure data. */
export interface JobPlan {
  /** The program and its arguments; for ShellCommandRequirement `["/bin/sh", "-c", line]`. */
  readonly argv: readonly string[];
  /** Path (as the job sees it) of the file to read as standard input; undefined: empty input. */
  readonly stdin: string | undefined;
  /** File names relative to the output folder; undefined: the executor's own log file. */
  readonly stdout: RelativePath | undefined;
  readonly stderr: RelativePath | undefined;
  /** EnvVarRequirement only; the executor adds PATH, HOME, TMPDIR. */
  readonly environment: { readonly [name: string]: string };
  readonly staging: readonly StagingEntry[];
  /** The inputs as expressions saw them: Files and Directories have `path`. */
  readonly inputs: CwlObject;
  readonly runtime: Runtime;
  /** Seconds; undefined or 0: no limit. */
  readonly timeLimitSeconds: number | undefined;
  readonly networkAccess: boolean;
  readonly enableReuse: boolean;
  readonly inplaceUpdate: boolean;
}
