import { relativeReference } from "@weft/cwl/document/resolve-reference.ts";
import type { GroupNote, StoredGroup, UpgradeNetworks } from "@weft/shared/records/draft-group-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { editReferences, fragmentOf } from "../drafts/edit-references.ts";
import type { NewDraft } from "../drafts/draft-store.ts";
import { oldAddresses } from "../drafts/outdated-networks.ts";
import type { Caller } from "../port/engine.ts";
import type { DraftServiceOptions } from "./draft-service.ts";

/** Creates a draft of each network that runs the given version instead of older ones. */
export async function upgradeNetworks(
  { principal: actor }: Caller,
  { kind, id, version, networks }: UpgradeNetworks,
  { catalog, store, nowMs }: DraftServiceOptions,
): Promise<StoredGroup> {
  const target = catalog.findRunnable(kind, id, version);
  const drafts: NewDraft[] = [];
  const notes: GroupNote[] = [];
  for (const name of new Set(networks)) {
    const network = catalog.find("network", name, undefined);
    const old = oldAddresses(network, target, catalog);
    const text = withTarget(network, target, old);
    if (old.size === 0) notes.push(note("warning", name, `runs no version of ${id} before ${version}`));
    else if (text === undefined)
      notes.push(note("error", name, "the reference is not in the document itself; edit the file that it imports"));
    else {
      drafts.push(draftOf(network, text));
      notes.push(note("info", name, `now runs ${id} ${version}`));
    }
  }
  if (drafts.length === 0)
    throw new Refusal("conflict", notes[0] === undefined ? "Nothing to do." : `${notes[0].subject} ${notes[0].text}.`);
  const title = `Networks that run ${id} ${version}`;
  return store.createGroup({ kind: "upgrade", title, notes }, drafts, { actor, nowMs: nowMs() });
}

function draftOf({ place }: CatalogEntry, text: string): NewDraft {
  const { id, version } = place;
  return { kind: "network", id, based_on: version ?? UNVERSIONED, planned_version: null, text, files: {} };
}

/** The text of a network that runs the target; undefined if no reference in it leads to an older version. */
function withTarget(network: CatalogEntry, target: CatalogEntry, old: ReadonlySet<string>): string | undefined {
  const text = network.sources[0]?.text ?? "";
  const edited = editReferences(text, network.uri, ({ field, target: address, written }) =>
    field === "run" && old.has(address) ? relativeReference(target.uri, network.uri) + fragmentOf(written) : undefined,
  );
  return edited === text ? undefined : edited;
}

function note(level: GroupNote["level"], subject: string, text: string): GroupNote {
  return { level, subject, text };
}
