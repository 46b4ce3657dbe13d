import { RUN_PARTS, type RunPart } from "@weft/shared/records/run-parts.ts";

const UPLOAD = /^weft-data:\/\/(uploads\/[0-9a-f-]{36})(?:\/|$)/;
const OF_RUN = /^weft-data:\/\/runs\/([0-9a-f-]{36})(?:\/(.*))?$/s;
/** Entries of a job's folder that its tool does not see. */
const LOG_FILES = new Set(["stdout", "stderr", "launch", "record"]);

/** The part of a run to which a path below its folder belongs. A job's folder is removed with the last of its logs. */
export function partOfPath(path: string): RunPart {
  const [top, , name, ...deeper] = path.split("/");
  if (top === "outputs") return "outputs";
  // An imported run brought its own inputs.
  if (top === "inputs") return "intermediate";
  const isBesideLogs = name !== undefined && (deeper.length > 0 || !LOG_FILES.has(name));
  return top === "jobs" && isBesideLogs ? "intermediate" : "logs";
}

export function runItem(runId: string, part: RunPart): string {
  return `runs/${runId}/${part}`;
}

export function uploadItem(uploadId: string): string {
  return `uploads/${uploadId}`;
}

/**
 * The items on which a portable URL relies, as named in the tables `uses` and `pruned`: several for a folder that
 * contains more than one part, none for files that Weft never removes.
 */
export function usedItems(uri: string): readonly string[] {
  const upload = UPLOAD.exec(uri)?.[1];
  if (upload !== undefined) return [upload];
  const [, runId, path = ""] = OF_RUN.exec(uri) ?? [];
  if (runId === undefined) return [];
  const parts = partsBelow(decoded(path).replace(/\/+$/, ""));
  return parts.map((part) => runItem(runId, part));
}

function partsBelow(path: string): readonly RunPart[] {
  if (path === "") return RUN_PARTS;
  const [top, , name] = path.split("/");
  return top === "jobs" && name === undefined ? ["intermediate", "logs"] : [partOfPath(path)];
}

/** Names of parts have no escapes; a path that cannot be decoded belongs to none of them. */
function decoded(path: string): string {
  return path.replace(/%([0-7][0-9A-F])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
