import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GivenDocument } from "@weft/engine/document/check-document.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import { planDocument } from "@weft/engine/document/plan-document.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { planText } from "../output/plan-text.ts";
import { reportWrong, printProblems } from "../output/print-problems.ts";
import type { Inputs } from "../output/print-problems.ts";

/** Prints the plan of a run and returns the exit code. Its paths contain a folder that is never created. */
export async function reportPlan(
  document: GivenDocument & Omit<DocumentSettings, "scratch">,
  inputs: Inputs,
  { io, isQuiet, asJson }: { readonly io: CommandIo; readonly isQuiet: boolean; readonly asJson: boolean },
): Promise<number> {
  const planned = await planDocument({ ...document, scratch: join(tmpdir(), "weft-run") });
  printProblems(planned.problems, inputs, { io, isQuiet });
  switch (planned.kind) {
    case "planned":
      io.stdout.write(`${asJson ? JSON.stringify(planned.plan, null, 2) : planText(planned.plan)}\n`);
      return EXIT.success;
    case "failed":
      writeLine(io, `weft: ${planned.message}`);
      if (planned.hint !== undefined) writeLine(io, `  hint: ${planned.hint}`);
      return EXIT.failure;
    case "wrong-inputs":
    case "refused":
      return reportWrong(planned, io);
  }
}
