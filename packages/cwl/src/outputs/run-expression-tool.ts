import { neverGiveWay } from "../give-way.ts";
import { CwlFailure } from "../cwl-failure.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import type { FileAccess } from "../files/file-access.ts";
import { ListingLoader } from "../files/listing-loader.ts";
import { listingExtent } from "../files/load-for-expressions.ts";
import { normalizeFile } from "../files/normalize-file.ts";
import { mapFiles, type FileVisitor } from "../check/map-files.ts";
import { settleDoubles } from "../check/settle-doubles.ts";
import { fieldOf, isRecord, kindText } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { InputProblem } from "../values/input-problem.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { ExpressionTool } from "../model/process.ts";
import { checkOutput } from "./collect-outputs.ts";

export interface ExpressionToolOptions {
  readonly tool: ExpressionTool;
  readonly requirements: RequirementSet;
  /** The result of `bindInputs`. */
  readonly inputs: CwlObject;
  readonly files: FileAccess;
  readonly evaluator: Evaluator;
}

/**
 * The output object of an ExpressionTool; rejects with EXPRESSION, MISSING_OUTPUT or OUTPUT_INVALID.
 * CWL v1.2 Workflow.html#ExpressionTool.
 */
export async function runExpressionTool({
  tool,
  requirements,
  inputs,
  files,
  evaluator,
}: ExpressionToolOptions): Promise<CwlObject> {
  const result = await evaluator.evaluate(tool.expression, { inputs, self: null }, { place: "expression" });
  if (!isRecord(result))
    throw new CwlFailure(
      "OUTPUT_INVALID",
      `the expression must return an object with the outputs, not ${kindText(result)}`,
      { place: "expression" },
    );
  const outputs: [string, CwlValue][] = [];
  for (const output of tool.outputs) {
    const place = `outputs.${output.id}`;
    const typed = {
      value: fieldOf(result, output.id) ?? null,
      type: output.type,
      rule: { ...output, loadContents: false },
      pointer: "",
    };
    const complete = await mapFiles(
      typed,
      describe({ place, requirements, files, limits: evaluator.limits }),
      neverGiveWay,
    );
    checkOutput(output, complete);
    outputs.push([output.id, settleDoubles(output.type, complete)]);
  }
  return Object.fromEntries(outputs);
}

interface DescribeContext {
  readonly place: string;
  readonly requirements: RequirementSet;
  readonly files: FileAccess;
  readonly limits: CwlLimits;
}

/** Forwards existing files by their location; new files are literals. */
function describe({ place, requirements, files, limits }: DescribeContext): FileVisitor {
  const report = ({ message }: InputProblem) => {
    throw new CwlFailure("OUTPUT_INVALID", message, { place });
  };
  const listings = new ListingLoader({ files, limits });
  return async (value, rule) => {
    const { path: _, ...addressed } = value;
    const normal = await normalizeFile(value.location === undefined ? value : addressed, "", { files, limits, report });
    return normal.class === "Directory" ? listings.load(normal, listingExtent(rule, requirements)) : normal;
  };
}
