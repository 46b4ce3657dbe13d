import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { OLDEST, zipArchive } from "../archive/zip-archive.ts";
import type { ArchiveEntry } from "../archive/zip-archive.ts";
import { exportDraft, exportSources } from "../drafts/export-sources.ts";
import { loadDraft } from "../drafts/load-draft.ts";
import type { ExportMethods, ServableArchive } from "../port/engine.ts";
import { propose } from "./draft-service.ts";
import type { DraftServiceOptions } from "./draft-service.ts";
import { requireRunnable } from "./publish-draft.ts";

/** Versions and drafts as packed documents and as folders. */
export function createExportService(options: DraftServiceOptions): ExportMethods {
  const { catalog, store } = options;
  return {
    sources: async (_caller, { kind, id, version }) => {
      const entry = catalog.find(kind, id, version);
      const name = `${id}-${entry.place.version ?? UNVERSIONED}`;
      return archiveOf(name, await exportSources(entry, catalog));
    },
    draftSources: async (_caller, draftId, revision) => {
      const draft = await store.get(draftId, revision);
      const entry = await loadDraft(draft, options);
      const version = draft.planned_version ?? propose(draft, entry, catalog).version;
      const entries = await exportDraft({ entry, draft, version }, { catalog, contents: store.contents });
      return archiveOf(`${draft.id}-${version}-draft`, entries);
    },
    packedDraft: async (_caller, draftId, revision) => {
      const draft = await store.get(draftId, revision);
      const { packed, digest } = requireRunnable(await loadDraft(draft, options));
      return { text: packed, digest };
    },
  };
}

function archiveOf(name: string, entries: readonly ArchiveEntry[]): ServableArchive {
  return { name: `${name}.zip`, open: () => zipArchive(entries, OLDEST) };
}
