import type { Dirent } from "node:fs";
import { join } from "node:path";
import { DESCRIPTION } from "@weft/shared/dataset/dataset-source.ts";
import type { Dataset, DatasetList } from "@weft/shared/records/dataset-record.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runNear, type Steps } from "../files/beneath/steps.ts";
import { codeOf } from "../files/beneath/system-calls.ts";

const MAX_DATASETS = 10_000;
/** Folders of the server that do not contain users' datasets. */
const NOT_DATA = new Set(["runs", "uploads", "wes-documents"]);

/** The data folders, and the BIDS datasets directly in those that are not datasets themselves. */
export async function listDatasets(roots: AllowedRoots, reach: Reach): Promise<DatasetList> {
  const found: Dataset[] = [];
  for (const name of dataNames(roots)) {
    const path = roots.folder(name) ?? "";
    const location = `weft-data://${name}/`;
    const isBids = await runNear(hasDescription(reach, path));
    found.push({ location, name, kind: isBids ? "bids" : "files" });
    if (!isBids) found.push(...(await runNear(innerDatasets(reach, { path, location, name }))));
  }
  return { datasets: found.slice(0, MAX_DATASETS), truncated: found.length > MAX_DATASETS };
}

export function dataNames(roots: AllowedRoots): readonly string[] {
  return roots.names.filter((name) => !NOT_DATA.has(name));
}

interface Root {
  readonly path: string;
  readonly location: string;
  readonly name: string;
}

function* innerDatasets(reach: Reach, { path, location, name }: Root): Steps<Dataset[]> {
  const found: Dataset[] = [];
  for (const entry of yield* namesIn(reach, path)) {
    if (found.length > MAX_DATASETS) break;
    if (entry.startsWith(".") || !(yield* hasDescription(reach, join(path, entry)))) continue;
    found.push({ location: `${location}${encodeURIComponent(entry)}/`, name: `${name}/${entry}`, kind: "bids" });
  }
  return found.toSorted((a, b) => (a.location < b.location ? -1 : 1));
}

/** A dataset is a folder or a link to one. */
function* namesIn(reach: Reach, path: string): Steps<readonly string[]> {
  const entries = (yield* unlessUnreadable(entriesOf(reach, path))) ?? [];
  return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
}

function* entriesOf(reach: Reach, path: string): Steps<readonly Dirent[]> {
  using folder = yield* reach.openFolder(path);
  return yield* folder.entries();
}

/** Whether a folder is a BIDS dataset. False for anything that cannot be read. */
export function* hasDescription(reach: Reach, path: string): Steps<boolean> {
  return (yield* unlessUnreadable(reach.stat(join(path, DESCRIPTION))))?.isFile() === true;
}

/** Undefined for anything that has disappeared, cannot be read, or leads out of reach. */
export function* unlessUnreadable<Value>(steps: Steps<Value>): Steps<Value | undefined> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof OutOfReach || codeOf(error) !== "") return undefined;
    throw error;
  }
}
