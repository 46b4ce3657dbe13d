import { useMutation } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { useRef, useState } from "react";
import { planDraft, planRun, startDraftRun, startRun } from "../../api/start-run.ts";
import { checkInputs, type FieldProblem } from "./model/check-value.ts";
import type { FormStore } from "./model/form-store.ts";
import { checkNames, namesStillFit } from "./model/named-samples.ts";
import { sortServerProblems } from "./model/server-problems.ts";
import { createRunBody, type RunSettings, type RunTarget } from "./run-target.ts";

export interface RunRequests {
  readonly start: () => void;
  readonly plan: () => void;
  readonly reset: () => void;
  readonly isStarting: boolean;
  readonly isPlanning: boolean;
  readonly planned: Plan | undefined;
  /** Number of the plan. */
  readonly plannedAtMs: number;
  /** The server's findings about the request as a whole. */
  readonly general: readonly string[];
  /** The server's findings about output destinations, by output id. */
  readonly placeProblems: Readonly<Record<string, string>>;
  /** A refusal without details, or a failed request. */
  readonly failure: Error | undefined;
  /** Counts refusals: the summary takes the focus at each. */
  readonly attempt: number;
}

export interface RunRequestOptions {
  readonly target: RunTarget;
  readonly store: FormStore;
  readonly settings: RunSettings;
  /** Syntax error in a text view, which prevents submission. */
  readonly fault: () => string | undefined;
  readonly onStarted: (run: Run) => void;
}

/** Submits the form: runs the browser's checks first, then the server's; both show their findings at the fields. */
export function useRunRequests({ target, store, settings, fault, onStarted }: RunRequestOptions): RunRequests {
  const findings = useFindings(store);
  const keyFor = useIdempotencyKey();
  const body = () => createRunBody(target, { values: store.values(), samples: store.samples() }, settings);
  const start = useMutation({
    mutationFn: () => send(target, body(), keyFor(JSON.stringify([target.digest, body()]))),
    onSuccess: onStarted,
    onError: findings.refuse,
  });
  const plan = useMutation({ mutationFn: () => preview(target, body()), onError: findings.refuse });
  const checked = (send: () => void): void => {
    findings.clear();
    const unreadable = fault();
    if (unreadable !== undefined) return findings.refuseText(unreadable);
    const problems = [...checkInputs(target.inputs, store.values()), ...checkGivenNames(store)];
    if (problems.length > 0) return findings.refuseFields(problems);
    store.setProblems([]);
    send();
  };
  return {
    start: () => checked(() => start.mutate()),
    plan: () => checked(() => plan.mutate()),
    reset: () => {
      findings.clear();
      plan.reset();
    },
    isStarting: start.isPending || start.isSuccess,
    isPlanning: plan.isPending,
    planned: plan.data,
    plannedAtMs: plan.submittedAt,
    ...findings.shown,
  };
}

function send({ draftId }: RunTarget, body: CreateRun, key: string): Promise<Run> {
  return draftId === undefined ? startRun(body, key) : startDraftRun(draftId, body, key);
}

function preview({ draftId }: RunTarget, body: CreateRun): Promise<Plan> {
  return draftId === undefined ? planRun(body) : planDraft(draftId, body);
}

/** Omits names of lists that have changed since. */
function checkGivenNames(store: FormStore): readonly FieldProblem[] {
  const samples = store.samples();
  return samples === undefined || !namesStillFit(samples, store.values()) ? [] : checkNames(samples);
}

const NOTHING = { general: [], placeProblems: {}, failure: undefined };

/** Problems of the request. The form's store keeps those of fields. */
function useFindings(store: FormStore) {
  const [found, setFound] = useState<Pick<RunRequests, "general" | "placeProblems" | "failure">>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const refuseText = (message: string): void => {
    setFound({ ...NOTHING, general: [message] });
    setAttempt((count) => count + 1);
  };
  const refuseFields = (problems: readonly FieldProblem[]): void => {
    store.setProblems(problems);
    setAttempt((count) => count + 1);
  };
  const refuse = (error: Error): void => {
    const problem = error instanceof ApiError ? error.problem : undefined;
    const sorted = problem === undefined || problem.errors.length === 0 ? undefined : sortServerProblems(problem);
    store.setProblems(sorted?.fields ?? []);
    setFound(
      sorted === undefined
        ? { ...NOTHING, failure: error }
        : { ...NOTHING, general: sorted.general, placeProblems: sorted.places },
    );
    setAttempt((count) => count + 1);
  };
  return { shown: { ...found, attempt }, clear: () => setFound(NOTHING), refuseText, refuseFields, refuse };
}

/**
 * An unchanged request keeps its key, so resending it after a lost response never starts a second run; a changed one
 * gets a new key.
 */
function useIdempotencyKey(): (body: string) => string {
  const last = useRef({ body: "", key: "" });
  return (body) => {
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() };
    return last.current.key;
  };
}
