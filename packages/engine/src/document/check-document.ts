import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs, inspectInputs } from "@weft/cwl/files/bind-inputs.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import { pointerTo, type InputProblem } from "@weft/cwl/values/input-problem.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { knownExcess, type KnownExcess } from "@weft/cwl/workflow/known-excess.ts";
import { reviewContainers } from "../jobs/job-container.ts";
import type { JobServices } from "../jobs/job-services.ts";
import { WITHOUT_CONTAINER } from "../container/containers.ts";
import { assumeRemote } from "../files/remote/assume-remote.ts";
import { concealInputs } from "../secrets/conceal-inputs.ts";
import type { RunSecrets } from "../secrets/run-secrets.ts";
import { remoteInputs } from "../runs/drive/run-fetch.ts";

export interface GivenDocument {
  readonly process: Process;
  readonly formats: FormatKnowledge;
  /** Locations are `file:` URLs. */
  readonly inputs: CwlObject;
  /** `cwl:requirements` of the input object. */
  readonly overrides: readonly Requirement[];
  /** Called for each warning before the run starts. */
  readonly warn?: (message: string) => void;
}

export type WrongDocument =
  | { readonly kind: "wrong-inputs"; readonly problems: readonly InputProblem[] }
  /** This machine lacks a requirement of a tool; no job was started. */
  | { readonly kind: "refused"; readonly message: string; readonly hint: string; readonly problems: [] };

export interface CheckedDocument {
  readonly kind: "ready";
  /** The input values, with placeholders for secrets. */
  readonly values: CwlObject;
  readonly secrets: RunSecrets;
  /** Bound; remote files have only the properties that can be known before they are fetched. */
  readonly inputs: CwlObject;
  /** Binds the inputs again once the files are available. */
  readonly bind: (files: FileAccess) => Promise<CwlObject>;
  /** Warnings. */
  readonly problems: readonly InputProblem[];
}

/** Checks whether a document can run with these inputs on this machine. Does not start a job. */
export async function checkDocument(
  request: GivenDocument,
  services: JobServices,
): Promise<WrongDocument | CheckedDocument> {
  const { process, overrides } = request;
  const excess = knownExcess(process, request.inputs, services.limits);
  if (excess !== undefined) return { kind: "wrong-inputs", problems: [excessProblem(excess)] };
  const { refusal, warnings } = await reviewContainers(process, services, overrides);
  if (refusal !== undefined) return { kind: "refused", message: refusal, hint: WITHOUT_CONTAINER, problems: [] };
  for (const warning of warnings) request.warn?.(warning);
  const { values, secrets } = concealInputs(request.inputs, secretInputs(process));
  const requirements = effectiveRequirements([process], overrides);
  const evaluator = createEvaluator({
    script: services.script,
    requirements,
    cwlVersion: process.cwlVersion,
    limits: services.limits,
  });
  const binding = { process, values, evaluator, requirements, ...request.formats };
  const isLocal = remoteInputs(values, process).length === 0;
  const { inputs, problems } = await inspectInputs({ ...binding, files: assumeRemote(services.files) });
  // An expression may have failed only because a file has not been fetched yet.
  const isWrong = problems.some(({ severity, code }) => severity === "error" && (isLocal || code !== "expression"));
  if (isWrong) return { kind: "wrong-inputs", problems };
  return {
    kind: "ready",
    values,
    secrets,
    inputs,
    problems,
    bind: async (files) => (isLocal ? inputs : bindInputs({ ...binding, files })),
  };
}

function excessProblem({ input, failure: { message, hint = "" } }: KnownExcess): InputProblem {
  return { severity: "error", pointer: pointerTo("", input), code: "limit-exceeded", message, hint };
}
