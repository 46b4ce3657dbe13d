import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import type { DocumentList, Draft } from "@weft/shared/records/draft-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { createDraft, deleteDraft, loadDraft, readDocument, saveDraft } from "../../../api/draft-queries.ts";

const language = () => import("../language/network-from-run.ts");

/** Where the text of a run's tool or network is; undefined if the catalog does not have it any more. */
function placeOf(run: Run, { documents }: DocumentList): string | undefined {
  const kind = run.network === undefined ? "tool" : "network";
  const process = run.network ?? run.tool;
  return documents.find((each) => each.kind === kind && each.id === process?.id && each.version === process.version)
    ?.path;
}

/** The document that a run of a network started with; for a run of a draft, the draft as it is now. */
async function documentOf(run: Run, documents: DocumentList) {
  if (run.draft !== undefined) return loadDraft(run.draft.draft_id);
  const path = placeOf(run, documents);
  const text = path === undefined ? undefined : await readDocument(path);
  if (path === undefined || text === undefined) throw new Error("This version is no longer in the catalog.");
  return { path, text };
}

/** A draft of a network with some steps of a run's network. */
export async function draftOfSteps(
  run: Run,
  documents: DocumentList,
  { id, steps }: { readonly id: string; readonly steps: readonly string[] },
): Promise<string> {
  const { networkOfSteps } = await language();
  const document = await documentOf(run, documents);
  // The function refuses an impossible request before there is a draft.
  await networkOfSteps(document, { steps, path: document.path, readFile: readDocument });
  return filledDraft(id, async ({ path }) => networkOfSteps(document, { steps, path, readFile: readDocument }));
}

/** The address of a draft in which a step can be added after an output of a run. `id` names the network around a tool. */
export async function draftAfterOutput(
  run: Run,
  documents: DocumentList,
  { id, output }: { readonly id: string; readonly output: string },
): Promise<string> {
  const { networkAround, sourceOfOutput } = await language();
  if (run.tool !== undefined) {
    const path = placeOf(run, documents);
    if (path === undefined) throw new Error("This version is no longer in the catalog.");
    const process = { path, id: run.tool.id };
    let step = "";
    const draftId = await filledDraft(id, async (draft) => {
      const around = await networkAround(draft, process, readDocument);
      step = around.step;
      return around.text;
    });
    return `/drafts/${draftId}?after=${encodeURIComponent(`${step}/${output}`)}`;
  }
  const { id: network = "", version } = run.network ?? {};
  const draft =
    run.draft === undefined
      ? await createDraft({ kind: "network", id: network, based_on: version ?? UNVERSIONED })
      : await loadDraft(run.draft.draft_id);
  const source = await sourceOfOutput(draft, output, readDocument);
  return `/drafts/${draft.draft_id}${source === undefined ? "" : `?after=${encodeURIComponent(source)}`}`;
}

/** Creates a draft and gives it a text, which depends on its place. */
async function filledDraft(id: string, textOf: (draft: Draft) => Promise<string>): Promise<string> {
  const draft = await createDraft({ kind: "network", id });
  try {
    await saveDraft(draft.draft_id, await textOf(draft), draft.revision);
  } catch (error) {
    await deleteDraft(draft.draft_id);
    throw error;
  }
  return draft.draft_id;
}
