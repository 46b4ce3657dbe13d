import { basename, join, relative } from "node:path";
import { isBelow } from "../../files/is-below.ts";
import type { Launch, LaunchTask } from "../executor.ts";
import type { TaskInput } from "./task-inputs.ts";
import type { TesSettings } from "./tes-settings.ts";
import { fileURLToPath } from "node:url";
import { pathToUri, relativeUri } from "@weft/cwl/values/file-uri.ts";

/** A task in the format of TES 1.1's CreateTask. */
export interface TaskDocument {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly inputs: readonly DocumentInput[];
  readonly outputs: readonly { readonly url: string; readonly path: string; readonly type: "FILE" | "DIRECTORY" }[];
  readonly resources: { readonly cpu_cores: number; readonly ram_gb?: number; readonly disk_gb?: number };
  readonly executors: readonly [DocumentExecutor];
  readonly volumes: readonly string[];
}

type DocumentInput = { readonly path: string; readonly type: "FILE" | "DIRECTORY" } & (
  | { readonly url: string }
  | { readonly content: string }
);

interface DocumentExecutor {
  readonly image: string;
  readonly command: readonly string[];
  readonly workdir: string;
  readonly stdin?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly env: Readonly<Record<string, string>>;
  readonly ignore_error: true;
}

export const ATTEMPT_TAG = "weft.attempt";
/** The folder in the container for streams that the tool does not name. */
const STREAMS = "/weft/streams";
/** The files of a task arrive here; the folder replaces the output directory when the task has ended. */
const ARRIVALS = "tes-out";

/** The key of an attempt: the value of its tag and the name of its task. */
export function attemptKey({ runId, jobId, attempt }: Pick<Launch, "runId" | "jobId" | "attempt">): string {
  return `${runId}/${jobId}@${attempt}`;
}

/** Absolute path of the folder into which a server puts the outputs of an attempt. */
export function arrivalsOf({ folder }: Pick<Launch, "folder">): string {
  return join(folder, ARRIVALS);
}

/**
 * The task to post for an attempt, or why it cannot be posted. Sets `ignore_error`, because a server may otherwise
 * withhold the outputs of a program that exits with a code other than 0, which a tool may call success. Pure.
 */
export function taskDocument(
  launch: Launch & { readonly task: LaunchTask },
  inputs: readonly TaskInput[],
  { storage }: Pick<TesSettings, "storage">,
): TaskDocument | { readonly refusal: string } {
  const { task, size, argv, env } = launch;
  const streams = { stdout: streamInside(launch, "stdout"), stderr: streamInside(launch, "stderr") };
  const outputs = outputsOf(launch, streams);
  const unseen = [...inputs.flatMap(({ from }) => from ?? []), ...outputs.map(({ from }) => from)].find(
    (path) => storageUrl(path, storage) === undefined,
  );
  if (unseen !== undefined)
    return { refusal: `${unseen} is in no folder of tes.storage, so workers of the TES server could not see it` };
  const urlOf = (path: string) => storageUrl(path, storage) ?? ""; // found above
  return {
    name: attemptKey(launch),
    tags: { [ATTEMPT_TAG]: attemptKey(launch), "weft.run": launch.runId, "weft.job": launch.jobId },
    inputs: inputs.map(({ path, type, from, content }) =>
      content === undefined ? { url: urlOf(from), path, type } : { content, path, type },
    ),
    outputs: outputs.map(({ from, ...output }) => ({ ...output, url: urlOf(from) })),
    resources: resourcesOf(size),
    executors: [
      {
        image: task.image,
        command: argv,
        workdir: task.workdir,
        ...(task.stdin === undefined ? {} : { stdin: task.stdin }),
        ...streams,
        env,
        ignore_error: true,
      },
    ],
    volumes: [task.tmpdir, ...(outputs.length > 1 ? [STREAMS] : [])],
  };
}

/** The output directory, and the streams outside it; `path` is inside the container, `from` on this machine. */
function outputsOf(launch: Launch & { readonly task: LaunchTask }, streams: Record<"stdout" | "stderr", string>) {
  return [
    { from: arrivalsOf(launch), path: launch.task.workdir, type: "DIRECTORY" as const },
    ...(["stdout", "stderr"] as const)
      .filter((name) => !isBelow(launch[name], launch.workdir))
      .map((name) => ({ from: launch[name], path: streams[name], type: "FILE" as const })),
  ];
}

function streamInside(launch: Launch & { readonly task: LaunchTask }, stream: "stdout" | "stderr"): string {
  const path = launch[stream];
  if (isBelow(path, launch.workdir)) return launch.task.workdir + path.slice(launch.workdir.length);
  return `${STREAMS}/${basename(path)}`;
}

const GB = 1000 ** 3;
const MIB = 1024 ** 2;

/** The resources in the decimal units of TES, rounded up so that no job gets less than requested. */
function resourcesOf({ cores, ramMib, diskMib }: Launch["size"]): TaskDocument["resources"] {
  const gigabytes = (mib: number) => Math.ceil((mib * MIB * 1000) / GB) / 1000;
  return {
    cpu_cores: Math.max(1, Math.ceil(cores)),
    ...(ramMib === undefined ? {} : { ram_gb: gigabytes(ramMib) }),
    ...(diskMib === undefined ? {} : { disk_gb: gigabytes(diskMib) }),
  };
}

/**
 * The address of a path for workers; undefined if it is in no folder of `storage`. Some servers strip `file://` and decode
 * nothing, others decode, so a name that needs escapes is sent as a plain absolute path, which TES 1.1 allows.
 */
export function storageUrl(path: string, storage: TesSettings["storage"]): string | undefined {
  const folders = Object.keys(storage);
  if (folders.length === 0) return fileUrl(path);
  const nearest = folders.filter((folder) => isBelow(path, folder)).toSorted((a, b) => b.length - a.length)[0];
  if (nearest === undefined) return undefined;
  const base = (storage[nearest] ?? "").replace(/\/$/, "");
  const rest = relative(nearest, path);
  if (base.startsWith("/")) return join(base, rest);
  if (base.startsWith("file:///")) return fileUrl(join(fileURLToPath(base), rest));
  return rest === "" ? base : `${base}/${relativeUri(rest)}`;
}

function fileUrl(path: string): string {
  const { href, pathname } = new URL(pathToUri(path));
  return pathname === path ? href : path;
}
