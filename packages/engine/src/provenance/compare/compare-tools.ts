import type { JobRow } from "../../journal/rows.ts";
import { containerText } from "../../present/present-job.ts";

/**
 * `same`: every job ran in exactly the same container, by digest. `undefined`: no difference is known, but programs of
 * the machine have no digest, so equality cannot be proven.
 */
export type ToolsCompared = "same" | "other" | undefined;

/** The fields of a job that identify its tool and environment. */
export type ToolUse = Pick<JobRow, "step" | "tool" | "container" | "startedMs">;

/** The tools of the same jobs of two runs; `sentences` describe each difference once. */
export function compareTools(pairs: readonly (readonly [ToolUse, ToolUse])[]): {
  readonly sentences: readonly string[];
  readonly tools: ToolsCompared;
} {
  const sentences = [...new Set(pairs.flatMap(([a, b]) => [...differentTools(a, b)]))];
  if (sentences.length > 0) return { sentences, tools: "other" };
  const areKnown = pairs.length > 0 && pairs.every(([a, b]) => isPinned(a) && isPinned(b));
  return { sentences, tools: areKnown ? "same" : undefined };
}

function* differentTools(a: ToolUse, b: ToolUse): Generator<string> {
  const step = a.step === "" ? "the tool" : `step ${a.step}`;
  const [left, right] = [toolText(a), toolText(b)];
  if (left !== right) yield `${step}: tool ${left} and ${right}`;
  const [inside, outside] = [a, b].map(({ container }) =>
    container === null ? "no container" : containerText(container),
  );
  if (a.startedMs !== null && b.startedMs !== null && inside !== outside) yield `${step}: ${inside} and ${outside}`;
}

function toolText({ tool }: ToolUse): string {
  return tool.id === null ? "of the document" : `${tool.id} ${tool.version ?? ""}`.trim();
}

/** True if a job's environment is known exactly; expressions depend only on Weft. */
function isPinned({ tool, container }: ToolUse): boolean {
  if (tool.class === "ExpressionTool") return true;
  return container !== null && container.engine !== "none" && container.digest !== null;
}
