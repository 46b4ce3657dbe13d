/** The fields of CWL for completion and hover, from the tables by which documents are read. */
import type { FieldInfo } from "@weft/cwl/document/fields/field-info.ts";
import type { FieldTable } from "@weft/cwl/document/fields/read-fields.ts";
import { PROCESS_FIELDS } from "@weft/cwl/document/process/process-fields.ts";
import { TOOL } from "@weft/cwl/document/process/read-command-line-tool.ts";
import {
  OTHER_INPUT,
  OTHER_OUTPUT,
  TOOL_INPUT,
  TOOL_OUTPUT,
  WORKFLOW_OUTPUT,
} from "@weft/cwl/document/process/read-parameter.ts";
import { EXPRESSION_TOOL, OPERATION } from "@weft/cwl/document/process/read-process.ts";
import { WORKFLOW } from "@weft/cwl/document/process/read-workflow.ts";
import { DIRENT } from "@weft/cwl/document/requirement/read-work-dir.ts";
import { ENVIRONMENT_DEF, PACKAGE, REQUIREMENT_READERS } from "@weft/cwl/document/requirement/requirement-tables.ts";
import { STANDARD_INPUT } from "@weft/cwl/document/step/read-step-loop.ts";
import { STEP, STEP_INPUT } from "@weft/cwl/document/step/read-step.ts";
import { INPUT_BINDING, OUTPUT_BINDING, SECONDARY_FILE } from "@weft/cwl/document/type/read-binding.ts";
import { ARRAY, ENUM, FIELD, RECORD } from "@weft/cwl/document/type/read-type.ts";

/** The table of each kind of object. */
export const TABLES: ReadonlyMap<string, FieldTable<never>> = new Map<string, FieldTable<never>>([
  // A document without a class.
  ["process", { cwlVersion: PROCESS_FIELDS.cwlVersion, class: PROCESS_FIELDS.class }],
  ["CommandLineTool", TOOL],
  ["Workflow", WORKFLOW],
  ["ExpressionTool", EXPRESSION_TOOL],
  ["Operation", OPERATION],
  ["toolInput", TOOL_INPUT],
  ["otherInput", OTHER_INPUT],
  ["toolOutput", TOOL_OUTPUT],
  ["otherOutput", OTHER_OUTPUT],
  ["workflowOutput", WORKFLOW_OUTPUT],
  ["step", STEP],
  ["stepInput", STEP_INPUT],
  ["loopInput", STANDARD_INPUT],
  ["inputBinding", INPUT_BINDING],
  ["outputBinding", OUTPUT_BINDING],
  ["secondaryFile", SECONDARY_FILE],
  ["array", ARRAY],
  ["record", RECORD],
  ["enum", ENUM],
  ["recordField", FIELD],
  ["softwarePackage", PACKAGE],
  ["environmentDef", ENVIRONMENT_DEF],
  ["dirent", DIRENT],
  ...[...REQUIREMENT_READERS].map(([name, { fields }]) => [name, fields] as const),
]);

/** The fields of an object; empty if it has none. */
export function fieldsOf(kind: string): ReadonlyMap<string, FieldInfo> {
  const fields = Object.entries(TABLES.get(kind) ?? {});
  return new Map(fields.flatMap(([name, { info }]) => (info === undefined ? [] : [[name, info]])));
}

/** The types that need no definition. */
export const TYPE_DOCS: ReadonlyMap<string, string> = new Map([
  ["File", "A file with its secondary files."],
  ["Directory", "A folder."],
  ["string", "Text."],
  ["int", "A whole number of 32 bits."],
  ["long", "A whole number of 64 bits."],
  ["float", "A number of single precision."],
  ["double", "A number of double precision."],
  ["boolean", "true or false."],
  ["null", "No value."],
  ["Any", "Any value except null."],
  ["stdin", "A File that the tool reads as standard input."],
  ["stdout", "A File with the standard output."],
  ["stderr", "A File with the standard error."],
]);
