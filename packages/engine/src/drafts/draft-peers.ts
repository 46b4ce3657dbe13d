import { join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { relativeReference } from "@weft/cwl/values/resolve-reference.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { DraftStore, StoredDraft } from "./draft-store.ts";
import { draftPlace, placedText } from "./draft-place.ts";
import { editReferences, fragmentOf, referencesIn } from "./edit-references.ts";

/** A draft of the same group, and the path from which its document is read until it is published. */
export interface Peer {
  readonly draft: StoredDraft;
  /** `file:` URL of its document. */
  readonly uri: string;
}

/**
 * The drafts of a group, which refer to each other by the paths at which they will be published. Until then, such a
 * reference leads to the current path of the other draft, even if something else was published at the planned path.
 */
export class DraftPeers {
  readonly #store: DraftStore;
  readonly #catalog: Catalog;
  /** Address of a planned document → draft. */
  readonly #planned: ReadonlyMap<string, string>;
  readonly #peers = new Map<string, Promise<Peer>>();

  constructor({ group_id: group }: Pick<StoredDraft, "group_id">, store: DraftStore, catalog: Catalog) {
    this.#store = store;
    this.#catalog = catalog;
    const members = store.inGroup(group);
    this.#planned = new Map(
      members.flatMap(({ draft_id: id, kind, id: name, planned_version: version }) =>
        version === null ? [] : [[pathToUri(plannedPath(catalog.root, { kind, id: name, version })), id]],
      ),
    );
  }

  /** The drafts that a draft refers to directly or through files that it imports. */
  async of(draft: StoredDraft): Promise<readonly StoredDraft[]> {
    const { uri } = await this.#load(draft.draft_id);
    await this.redirect(placedText(draft, this.#catalog), uri);
    return (await this.all()).map((peer) => peer.draft);
  }

  /** The text of a document at an address, with references to other drafts as they can be read now. */
  async redirect(text: string, uri: string): Promise<string> {
    if (this.#planned.size === 0) return text;
    const found = new Map<string, Peer>();
    for (const { target } of referencesIn(text, uri)) {
      const id = this.#planned.get(target);
      if (id !== undefined) found.set(target, await this.#peer(id));
    }
    if (found.size === 0) return text;
    return editReferences(text, uri, ({ target, written }) => {
      const peer = found.get(target);
      return peer === undefined ? undefined : relativeReference(peer.uri, uri) + fragmentOf(written);
    });
  }

  /** The drafts that references were redirected to. */
  async all(): Promise<readonly Peer[]> {
    return Promise.all(this.#peers.values());
  }

  #peer(draftId: string): Promise<Peer> {
    const known = this.#peers.get(draftId) ?? this.#load(draftId);
    this.#peers.set(draftId, known);
    return known;
  }

  async #load(draftId: string): Promise<Peer> {
    const draft = await this.#store.get(draftId);
    const { folder, documents } = draftPlace(draft, this.#catalog);
    return { draft, uri: pathToUri(join(folder, documents[0] ?? "")) };
  }
}

/** The path at which the document of a version is published. */
export function plannedPath(
  root: string,
  { kind, id, version }: { readonly kind: string; readonly id: string; readonly version: string },
): string {
  return join(root, `${kind}s`, id, version, `${id}.cwl`);
}
