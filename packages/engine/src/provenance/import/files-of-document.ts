import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { CrateEvent } from "@weft/shared/events/crate-event.ts";
import { filesOf } from "../../values/map-files.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { ImportedEvent } from "./read-crate-events.ts";

/**
 * URLs of the files that come with a document, such as a script named in a tool's default: jobs read them although they
 * are neither inputs nor products of the run. `parse` returns an input object by its digest.
 */
export function filesOfDocument(
  events: readonly ImportedEvent[],
  parse: (digest: string) => CwlObject,
): ReadonlySet<string> {
  const all = events.map(({ event }) => event);
  const requested = all.flatMap((event) => (event.type === "run.created" ? [parse(event.data.inputs)] : []));
  const ports = new Set(requested.flatMap((object) => Object.keys(object)));
  const given = [
    ...requested.flatMap((object) =>
      filesOf(object).map(({ file }) => ({ uri: file.location ?? "", class: file.class })),
    ),
    ...filesIn(all, "run.inputs").filter(({ port }) => ports.has(port)),
  ];
  const others = new Set([...given, ...filesIn(all, "job.ended")].map(({ uri }) => uri));
  const folders = given.filter((file) => file.class === "Directory").map(({ uri }) => `${uri.replace(/\/$/, "")}/`);
  const read = [...filesIn(all, "run.inputs"), ...filesIn(all, "job.started")].filter(
    (file) => file.class === undefined,
  );
  const isElsewhere = (uri: string) => others.has(uri) || folders.some((folder) => uri.startsWith(folder));
  return new Set(read.map(({ uri }) => uri).filter((uri) => !isElsewhere(uri)));
}

function filesIn(events: readonly CrateEvent[], type: CrateEvent["type"]): readonly RecordedFile[] {
  return events.flatMap((event) => (event.type === type && "files" in event.data ? event.data.files : []));
}
