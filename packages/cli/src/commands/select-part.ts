import type { Process, Workflow } from "@weft/cwl/model/process.ts";
import { suggest } from "@weft/cwl/suggest.ts";
import { selectProcess, selectStep } from "@weft/cwl/workflow/select-step.ts";
import { selectTargets } from "@weft/cwl/workflow/select-targets.ts";
import { UsageError } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";

const FLAGS = ["target", "single-step", "single-process"] as const;

/** The part of a workflow that `--target`, `--single-step` or `--single-process` names; by default, all of it. */
export function selectPart(process: Process, settings: Pick<Settings, "list" | "text">): Process {
  const targets = settings.list("target");
  const [step, inner] = [settings.text("single-step"), settings.text("single-process")];
  const usedFlags = FLAGS.filter((_, place) => [targets.length > 0, step !== undefined, inner !== undefined][place]);
  const [flag, other] = usedFlags;
  if (flag === undefined) return process;
  if (other !== undefined) throw new UsageError(`--${flag} and --${other} exclude each other`);
  if (process.class !== "Workflow") throw new UsageError(`--${flag} requires a Workflow, not a ${process.class}`);
  if (step !== undefined) return selectStep(process, step) ?? refuse([step], process);
  if (inner !== undefined) return selectProcess(process, inner) ?? refuse([inner], process);
  const selection = selectTargets(process, targets);
  return selection.kind === "selected" ? selection.workflow : refuse(selection.names, process);
}

function refuse(names: readonly string[], { steps, outputs, inputs }: Workflow): never {
  const known = [...outputs, ...steps, ...inputs].map(({ id }) => id);
  const [name = ""] = names;
  const hint = suggest(name, known);
  throw new UsageError(
    `the workflow has no ${names.map((missing) => `"${missing}"`).join(", ")}; ` +
      (hint === undefined ? `it has ${known.join(", ")}` : `did you mean "${hint}"?`),
  );
}
