// The documents of the catalog as plain values.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export interface CwlFile {
  readonly class: "File";
  readonly location?: string;
  readonly path?: string;
  readonly contents?: string;
  readonly basename?: string;
  readonly secondaryFiles?: readonly CwlFile[];
}

type Type = string | { readonly type: string; readonly inputBinding?: object };

export interface ToolInput {
  readonly id: string;
  readonly label?: string;
  readonly doc?: string;
  readonly type: Type | readonly Type[];
  readonly default?: unknown;
  readonly inputBinding?: object;
}

export interface ToolOutput {
  readonly id: string;
  readonly label?: string;
  readonly doc?: string;
  readonly type: unknown;
  readonly outputSource?: string;
  readonly outputBinding?: { readonly glob: string };
}

export interface Step {
  readonly id: string;
  readonly label?: string;
  readonly run: string;
  readonly scatter?: string | readonly string[];
  readonly in: readonly { readonly id: string; readonly source?: string; readonly default?: unknown }[];
  readonly out: readonly string[];
}

export interface Process {
  readonly cwlVersion: string;
  readonly class: "CommandLineTool" | "ExpressionTool" | "Workflow";
  readonly label?: string;
  readonly doc?: string;
  readonly requirements?: readonly ({ readonly class: string } & Readonly<Record<string, unknown>>)[];
  readonly inputs: readonly ToolInput[];
  readonly outputs: readonly ToolOutput[];
}

export interface Tool extends Process {
  readonly baseCommand: string | readonly string[];
  readonly arguments?: readonly (string | { readonly valueFrom: string })[];
  readonly stdin?: string;
  readonly stdout?: string;
  readonly expression?: string;
}

export interface Network extends Process {
  readonly steps: readonly Step[];
}

export const catalogFolder: string = join(import.meta.dirname, "..");

/** Paths relative to the catalog of all files that a pattern finds, in order. */
export function filesLike(pattern: string): string[] {
  return globSync(pattern, { cwd: catalogFolder }).toSorted();
}

// A YAML document is whatever its author wrote; the tests of the documents check it.
export function documentAt(path: string): Process {
  return parse(readFileSync(path, "utf8")) as Process;
}

/** The document of a tool, by id and version: `smooth/1.0.0`. */
export function documentOf(tool: string): string {
  return join(catalogFolder, "tools", tool, `${tool.split("/")[0]}.cwl`);
}

export function toolAt(tool: string): Tool {
  return documentAt(documentOf(tool)) as Tool;
}

/** An example's inputs. */
export function inputsAt(path: string): Record<string, unknown> {
  return parse(readFileSync(path, "utf8")) as Record<string, unknown>;
}
