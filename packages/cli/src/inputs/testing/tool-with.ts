import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { Process } from "@weft/cwl/model/process.ts";

/** A tool with these inputs, written as in a document. */
export async function toolWith(inputs: string, more = ""): Promise<Process> {
  const text = `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: echo\n${more}inputs: ${inputs}\noutputs: {}\n`;
  const { process, diagnostics } = await loadDocument("file:///docs/tool.cwl", { reader: { read: async () => text } });
  const [problem] = diagnostics;
  if (process === undefined || problem !== undefined) throw new Error(problem?.message ?? "no process");
  return process;
}
