import { useMutation } from "@tanstack/react-query";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { seen } from "../../api/queries/draft-queries.ts";
import { type FieldProblem, checkInputs } from "./model/check-value.ts";
import type { FormStore } from "./model/form-store.ts";
import { checkNames, namesStillFit } from "./model/named-samples.ts";
import { type RunSettings, settingsProblems } from "./model/run-settings.ts";
import { type RunTarget, createRunBody } from "./run-target.ts";
import { type Findings, FormProblems, useFindings } from "./problems/use-findings.ts";

export interface RunRequests extends Findings {
  readonly start: () => void;
  readonly plan: () => void;
  readonly reset: () => void;
  readonly isStarting: boolean;
  readonly isPlanning: boolean;
  readonly planned: PlannedRun | undefined;
}

export interface PlannedRun {
  readonly plan: Plan;
  /** Number of the plan. */
  readonly atMs: number;
  /** The planned request, to compare it with the shown one. */
  readonly request: string;
}

type RunFormStore = FormStore<RunSettings>;

interface RunRequestOptions {
  /** Name of the form. */
  readonly form: string;
  readonly target: RunTarget;
  readonly store: RunFormStore;
  /** The syntax error in a text view, which prevents submission. */
  readonly fault: () => string | undefined;
  readonly onStarted: (run: Run) => void;
}

/** The response to a start did not arrive, so the page cannot know whether there is a run. */
export class UnknownStart extends Error {}

/** The request of a form as a string, equal for equal requests. */
export function requestText(target: RunTarget, store: RunFormStore): string {
  return JSON.stringify([target.digest, bodyOf(target, store)]);
}

/**
 * Submits the form: runs the browser's checks first, then the server's; both show their findings at the fields. A request
 * contains the values shown when it is sent, and its findings stay until the user sends another one.
 */
export function useRunRequests({ form, target, store, fault, onStarted }: RunRequestOptions): RunRequests {
  const findings = useFindings(store);
  const [attempt] = useState(() => new StartAttempt(form, target));
  const checked = <Result>(act: (latest: RunTarget) => Promise<Result>) => withGoodForm({ target, store, fault }, act);
  const start = useMutation({
    mutationFn: () =>
      checked((latest) => send(latest, bodyOf(latest, store), attempt.keyFor(requestText(latest, store)))),
    onSuccess: (run) => {
      attempt.end();
      onStarted(run);
    },
    onError: findings.refuse,
  });
  const plan = useMutation({
    mutationFn: () =>
      checked(async (latest): Promise<PlannedRun> => {
        const request = requestText(latest, store);
        return { plan: await preview(latest, bodyOf(latest, store)), atMs: Date.now(), request };
      }),
    onError: findings.refuse,
  });
  const act = (mutation: { readonly mutate: () => void }) => (): void => {
    findings.clear();
    mutation.mutate();
  };
  return {
    start: act(start),
    plan: act(plan),
    reset: () => {
      findings.clear();
      plan.reset();
    },
    isStarting: start.isPending || start.isSuccess,
    isPlanning: plan.isPending,
    planned: plan.data,
    ...findings.shown,
  };
}

/** Calls `act` with the displayed target if the browser finds no error in the form. */
async function withGoodForm<Result>(
  { target, store, fault }: Pick<RunRequestOptions, "target" | "store" | "fault">,
  act: (latest: RunTarget) => Promise<Result>,
): Promise<Result> {
  const unreadable = fault();
  if (unreadable !== undefined) throw new FormProblems([unreadable], []);
  const send = (latest: RunTarget): Promise<Result> => {
    requireGood(latest, store);
    return act(latest);
  };
  return target.withLatest === undefined ? send(target) : target.withLatest(send);
}

function bodyOf(target: RunTarget, store: RunFormStore): CreateRun {
  return createRunBody(target, { values: store.values(), samples: store.samples() }, store.settings());
}

function requireGood(target: RunTarget, store: RunFormStore): void {
  const fields = [...checkInputs(target.inputs, store.values()), ...checkGivenNames(store)];
  const general = settingsProblems(store.settings());
  if (fields.length + general.length > 0) throw new FormProblems(general, fields);
}

async function send({ draft }: RunTarget, body: CreateRun, key: string): Promise<Run> {
  try {
    const headers = { "idempotency-key": key };
    if (draft === undefined) return started(await api("POST /api/runs", { body, headers }));
    const params = { draft_id: draft.draftId };
    return await api("POST /api/drafts/{draft_id}/runs", {
      params,
      body,
      headers: { ...headers, ...seen(draft.revision) },
    });
  } catch (error) {
    // Only a refusal by the server itself proves that there is no run.
    if (error instanceof ApiError && (error.problem !== undefined || error.status < 500)) throw error;
    throw new UnknownStart("The answer did not arrive", { cause: error });
  }
}

/** The route answers an older parameter, which the page never sends, with a plan. */
function started(answer: Run | Plan): Run {
  if ("run_id" in answer) return answer;
  throw new Error("The server returned a plan instead of a run");
}

function preview({ draft }: RunTarget, body: CreateRun): Promise<Plan> {
  if (draft === undefined) return api("POST /api/plans", { body });
  const params = { draft_id: draft.draftId };
  return api("POST /api/drafts/{draft_id}/plans", { params, body, headers: seen(draft.revision) });
}

/** Omits names of lists that have changed since. */
function checkGivenNames(store: FormStore): readonly FieldProblem[] {
  const samples = store.samples();
  return samples === undefined || !namesStillFit(samples, store.values()) ? [] : checkNames(samples);
}

type AttemptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

interface Attempt {
  readonly request: string;
  readonly key: string;
}

/**
 * The idempotency key of the run that a form tries to start. An unchanged request keeps its key until its run has begun, even
 * after a reload, so that resending it after a lost response never starts a second run. A changed request gets a new key.
 */
export class StartAttempt {
  readonly #storage: AttemptStorage | undefined;
  readonly #name: string;
  #last: Attempt | undefined;

  /** A form with secrets is not stored. */
  constructor(form: string, { inputs }: Pick<RunTarget, "inputs">, storage: AttemptStorage = sessionStorage) {
    this.#storage = inputs.some(({ secret }) => secret === true) ? undefined : storage;
    this.#name = `weft-attempt:${form}`;
  }

  keyFor(request: string): string {
    const digest = digestOf(request);
    const known = this.#last ?? this.#read();
    this.#last = known?.request === digest ? known : { request: digest, key: crypto.randomUUID() };
    try {
      this.#storage?.setItem(this.#name, JSON.stringify(this.#last));
    } catch {
      // If the storage of the browser is full, the key lasts as long as the page.
    }
    return this.#last.key;
  }

  /** Call this when the run has begun. */
  end(): void {
    this.#last = undefined;
    this.#storage?.removeItem(this.#name);
  }

  #read(): Attempt | undefined {
    try {
      // Only this class writes the name.
      return (JSON.parse(this.#storage?.getItem(this.#name) ?? "null") as Attempt | null) ?? undefined;
    } catch {
      return undefined;
    }
  }
}

/** Short text that differs for different requests; the server checks the request itself, too. */
function digestOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    a = Math.imul(a ^ text.charCodeAt(at), 2654435761);
    b = Math.imul(b ^ text.charCodeAt(at), 1597334677);
  }
  return `${text.length} ${(a >>> 0).toString(16)} ${(b >>> 0).toString(16)}`;
}
