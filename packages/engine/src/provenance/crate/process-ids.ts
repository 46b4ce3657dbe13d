import type { Process } from "@weft/cwl/model/process.ts";
import { idPart } from "./crate-graph.ts";

/** Ids for the objects of a document, derived from their names. */
export class ProcessIds {
  readonly main: Process;
  /** Path of the document in the crate. */
  readonly file: string;

  constructor(main: Process) {
    this.main = main;
    this.file = main.class === "Workflow" ? "workflow.cwl" : "tool.cwl";
  }

  /**
   * A network is its document; for a single tool, the document and the tool are separate. A nested network counts as a
   * file (RO-Crate 1.2), but not as payload.
   */
  of(process: Process): string {
    if (process.class === "Workflow")
      return process === this.main ? this.file : `#network/${idPart(this.#nameOf(process))}`;
    return `${this.file}#${idPart(this.#nameOf(process))}`;
  }

  step(workflow: Process, step: string): string {
    return `#step/${idPart(this.#nameOf(workflow))}/${idPart(step)}`;
  }

  parameter(process: Process, direction: "in" | "out", name: string): string {
    return `#parameter/${idPart(this.#nameOf(process))}/${direction}/${idPart(name)}`;
  }

  /** The fragment that distinguishes it from others in the document. */
  #nameOf(process: Process): string {
    const hash = process.id.indexOf("#");
    return hash < 0 ? process.name : decodeURIComponent(process.id.slice(hash + 1));
  }
}
