import { loadDocument } from "../../document/load-document.ts";
import { memoryDocumentReader } from "../../document/memory-document-reader.ts";
import type { CommandLineTool, ExpressionTool, Process, Workflow } from "../../model/process.ts";

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

export async function loadTool(yaml: string): Promise<CommandLineTool> {
  const process = await loadProcess(`class: CommandLineTool\n${yaml}`);
  if (process.class !== "CommandLineTool") throw new Error(`a ${process.class} was loaded`);
  return process;
}

export async function loadExpressionTool(yaml: string): Promise<ExpressionTool> {
  const process = await loadProcess(`class: ExpressionTool\n${yaml}`);
  if (process.class !== "ExpressionTool") throw new Error(`a ${process.class} was loaded`);
  return process;
}

export async function loadWorkflow(yaml: string, files: Readonly<Record<string, string>> = {}): Promise<Workflow> {
  const process = await loadProcess(`class: Workflow\n${yaml}`, files);
  if (process.class !== "Workflow") throw new Error(`a ${process.class} was loaded`);
  return process;
}
