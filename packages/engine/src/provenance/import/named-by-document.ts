import { parseJson } from "@weft/shared/json/exact-json.ts";
import { decoded } from "@weft/shared/text/decode-escapes.ts";
import type { CrateEvent } from "@weft/shared/events/crate-event.ts";
import { within } from "../crate/crate-paths.ts";
import { namedFiles, resolvedReference } from "../crate/named-files.ts";
import type { PayloadFile } from "../verify/verify-crate.ts";
import type { FoldedRun } from "./fold-events.ts";

export interface ImportedDocument {
  readonly created: CrateEvent;
  readonly folded: FoldedRun;
  readonly documents: ReadonlyMap<string, string>;
  /** Names in the crate, by original location. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly payload: readonly PayloadFile[];
}

/**
 * Files that the document of an imported run names itself, such as a script that it stages: path relative to the run's
 * folder, where the document finds it, → name in the crate. Leaves out files that would be outside of that folder.
 */
export function namedByDocument(imported: ImportedDocument): ReadonlyMap<string, string> {
  const { created, folded, documents, addresses, payload } = imported;
  const moved = folded.events[0]?.event;
  const places = new Map<string, string>();
  if (created.type !== "run.created" || moved?.type !== "run.created") return places;
  const base = `weft-data://runs/${moved.run_id}/`;
  for (const { reference } of namedFiles(parseJson(documents.get(created.data.document) ?? ""))) {
    const from = resolvedReference(reference, created.data.document_uri);
    const to = resolvedReference(reference, moved.data.document_uri);
    const name = from === undefined ? undefined : (addresses.get(from) ?? addresses.get(`${from.replace(/\/$/, "")}/`));
    if (name === undefined || to?.startsWith(base) !== true) continue;
    const path = decoded(to.slice(base.length)).replace(/\/$/, "");
    for (const part of payload)
      if (part.name === name) places.set(within(path), name);
      else if (name.endsWith("/") && part.name.startsWith(name))
        places.set(within(`${path}/${part.name.slice(name.length)}`), part.name);
  }
  return places;
}
