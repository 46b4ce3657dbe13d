import { isFailed } from "../../format/state-look.ts";
import type { Drawing, NodeBox } from "@weft/shared/drawing/draw-network.ts";
import type { StepProgress } from "./step-progress.ts";

/** The node that a large drawing shows first: the first failed step, else the first step, else the first node. */
export function startOf(
  { boxes }: Drawing,
  progressOf: (step: string | undefined) => StepProgress | undefined,
): NodeBox | undefined {
  const inOrder = boxes.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const steps = inOrder.filter(({ node, expanded }) => node.kind === "step" && !expanded);
  const failed = steps.find(({ node }) => {
    const progress = progressOf(node.step);
    return progress !== undefined && isFailed(progress.state);
  });
  return failed ?? steps[0] ?? inOrder[0];
}
