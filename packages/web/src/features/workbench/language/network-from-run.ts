import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { extractSteps } from "@weft/language/edit/extract-steps.ts";
import { catalogReader, uriOfPath } from "./catalog-files.ts";
import { DocumentLanguage } from "./document-language.ts";
import type { ReadFile } from "./language-worker.ts";

/** A document and its path below the catalog folder. */
interface PlacedText {
  readonly path: string;
  readonly text: string;
}

async function readNetwork({ path, text }: PlacedText, readFile: ReadFile) {
  const uri = uriOfPath(path);
  const files = catalogReader(readFile);
  const reader = { read: async (wanted: string) => (wanted === uri ? text : files.read(wanted)) };
  const { process } = await loadDocument(uri, { reader });
  if (process?.class !== "Workflow") throw new Error("The document of the network cannot be read.");
  return process;
}

/**
 * Creates the text of a network from some steps of another one; `path` is its future path. Rejects if this is
 * impossible.
 */
export async function networkOfSteps(
  document: PlacedText,
  { steps, path }: { readonly steps: readonly string[]; readonly path: string },
  readFile: ReadFile,
): Promise<string> {
  const network = await readNetwork(document, readFile);
  const options = { network, steps, from: uriOfPath(document.path), to: uriOfPath(path) };
  const done = extractSteps(document.text, options);
  if ("refusal" in done) throw new Error(done.refusal);
  return done.text;
}

/** The step's output that an output of a network comes from; undefined if it comes from none or from several. */
export async function sourceOfOutput(
  document: PlacedText,
  output: string,
  readFile: ReadFile,
): Promise<string | undefined> {
  const { outputs } = await readNetwork(document, readFile);
  const source = outputs.find(({ id }) => id === output)?.outputSource?.source ?? [];
  return source.length === 1 ? source[0] : undefined;
}

/**
 * Creates the text of a network with one step, whose inputs are inputs of the network. Also returns the name of the
 * step.
 */
export async function networkAround(
  draft: PlacedText,
  process: { readonly path: string; readonly id: string },
  readFile: ReadFile,
): Promise<{ readonly text: string; readonly step: string }> {
  const language = new DocumentLanguage(uriOfPath(draft.path), catalogReader(readFile), async () => []);
  const first = await language.draw(draft.text, { kind: "step", path: process.path, name: process.id });
  if ("refusal" in first) throw new Error(first.refusal);
  const step = first.shown;
  let { text } = first;
  const node = await language.node(text, step);
  for (const port of node?.kind === "step" ? node.ports : []) {
    const next = await language.draw(text, { kind: "input-for", step, input: port.name });
    if (!("refusal" in next)) text = next.text;
  }
  return { text, step };
}
