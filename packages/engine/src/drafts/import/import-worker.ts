import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import { askServer, inThread } from "../../async/own-thread.ts";
import { DraftContents, type StoredContent } from "../draft-contents.ts";
import { fetchReferred } from "./fetch-import.ts";
import type { ImportQuestion, ImportReply, ImportSource, ImportWork } from "./import-in-thread.ts";
import { plainFiles, type ImportedFiles } from "./imported-files.ts";
import { planImport, type ImportedDraft } from "./plan-import.ts";
import type { KnownVersion } from "./plan-names.ts";
import { readFiles } from "./receive-zip.ts";

// Started by import-in-thread.ts.
await inThread(
  async ({ source, collisions, version, room, contents: folder }: ImportWork): Promise<readonly GroupNote[]> => {
    const contents = new DraftContents(folder);
    const { files, hidden } = await filesToImport(source);
    const notes = await planImport(
      { files, collisions, version, room },
      {
        // The server answers each kind of question with the matching type (import-in-thread.ts).
        knownVersions: async (kind, id) => (await ask({ kind, id })) as readonly KnownVersion[],
        add: async (draft) => void (await ask({ draft: await withStoredFiles(draft, contents) })),
      },
    );
    return [...notes, ...hidden.map(hiddenNote)];
  },
);

async function filesToImport(
  source: ImportSource,
): Promise<{ readonly files: ImportedFiles; readonly hidden: readonly string[] }> {
  if ("folder" in source) return readFiles(source.folder);
  if ("files" in source) return { files: plainFiles(source.files), hidden: [] };
  // The server answers a request for a file with its bytes (import-in-thread.ts).
  const fetch = async (url: string) => (await ask({ fetch: url })) as Uint8Array | undefined;
  return { files: plainFiles(await fetchReferred(source, fetch)), hidden: [] };
}

async function withStoredFiles(
  { source: { kind }, id, base, version, text, files: own }: ImportedDraft,
  contents: DraftContents,
) {
  const files: Record<string, StoredContent | null> = {};
  for (const [path, { content, isExecutable }] of own) files[path] = await contents.put(content, isExecutable);
  return { kind, id, based_on: base?.place.version ?? null, planned_version: version, text, files };
}

function hiddenNote(subject: string): GroupNote {
  return { level: "info", subject: subject.slice(0, 1000), text: "has a hidden name, so it was left out" };
}

function ask(question: ImportQuestion): Promise<ImportReply> {
  // `importInThread` answers every question with an ImportReply.
  return askServer(question) as Promise<ImportReply>;
}
