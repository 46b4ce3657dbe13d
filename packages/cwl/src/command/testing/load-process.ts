import { loadDocument } from "../../document/load-document.ts";
import { memoryDocumentReader } from "../../document/memory-document-reader.ts";
import type { Process } from "../../model/process.ts";

/** Loads a process from YAML without its `cwlVersion`; throws an error if the document is invalid. */
export async function loadProcess(yaml: string, files: Readonly<Record<string, string>> = {}): Promise<Process> {
  const main = "file:///doc/main.cwl";
  const others = Object.entries(files).map(([name, text]) => [`file:///doc/${name}`, text] as const);
  const reader = memoryDocumentReader(Object.fromEntries([[main, `cwlVersion: v1.2\n${yaml}`], ...others]));
  const { process, diagnostics } = await loadDocument(main, { reader });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (process === undefined || errors.length > 0)
    throw new Error(errors.map(({ line, message }) => `${line}: ${message}`).join("; "));
  return process;
}

/** Loads a process of a class from YAML without its first two lines. */
const loaderOf =
  <Class extends Process["class"]>(kind: Class) =>
  async (yaml: string, files: Readonly<Record<string, string>> = {}) => {
    const process = await loadProcess(`class: ${kind}\n${yaml}`, files);
    if (process.class !== kind) throw new Error(`a ${process.class} was loaded`);
    return process as Extract<Process, { readonly class: Class }>; // just checked
  };

export const loadTool = loaderOf("CommandLineTool");
export const loadExpressionTool = loaderOf("ExpressionTool");
export const loadWorkflow = loaderOf("Workflow");
