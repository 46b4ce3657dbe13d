import type { InputProblem } from "@weft/cwl/values/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { checkDocument, type GivenDocument, type WrongDocument } from "./check-document.ts";
import { openDocumentServices, type DocumentSettings } from "./document-services.ts";
import { planProcess, type ProcessPlan } from "../runs/plan/plan-process.ts";

export interface DocumentPlan extends ProcessPlan {
  /** The inputs with defaults applied and files resolved. */
  readonly inputs: CwlObject;
}

export type PlannedDocument =
  | WrongDocument
  | { readonly kind: "failed"; readonly message: string; readonly hint: string | undefined; readonly problems: [] }
  | { readonly kind: "planned"; readonly plan: DocumentPlan; readonly problems: readonly InputProblem[] };

/** Returns the plan of `runDocument`, but does not start, write or fetch anything; the scratch folder need not exist. */
export async function planDocument(document: GivenDocument & DocumentSettings): Promise<PlannedDocument> {
  const services = await openDocumentServices({ ...document, jobSandbox: "none" });
  try {
    const checked = await checkDocument(document, services);
    if (checked.kind !== "ready") return checked;
    const { process, formats, overrides } = document;
    const { inputs, problems } = checked;
    const plan = await planProcess({ process, formats, overrides, bound: inputs, samples: {} }, services);
    if ("failure" in plan) return { kind: "failed", message: plan.failure, hint: plan.hint, problems: [] };
    return { kind: "planned", plan: { inputs, ...plan }, problems };
  } finally {
    await services.close();
  }
}
