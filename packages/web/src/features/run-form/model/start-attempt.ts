import { unescapeSegment } from "@weft/shared/json-pointer.ts";
import type { Problem } from "@weft/shared/records/problem.ts";
import type { RunTarget } from "../run-target.ts";
import type { FieldProblem } from "./check-value.ts";

type AttemptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

interface Attempt {
  readonly request: string;
  readonly key: string;
}

const INPUTS = "/inputs/";
const PLACES = "/sink_data/";

/**
 * The idempotency key of what a form tries to start. An unchanged request keeps its key until its run has begun, also after a
 * reload, so that sending it again after a lost answer never starts a second run. A changed one gets a new key.
 */
export class StartAttempt {
  readonly #storage: AttemptStorage | undefined;
  readonly #name: string;
  #last: Attempt | undefined;

  /** Nothing about a form with secrets is stored. */
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
      // Without room in the browser, the key lasts as long as the page.
    }
    return this.#last.key;
  }

  /** The run has begun. */
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

interface SortedProblems {
  /** Problems of form fields; pointers are relative to the inputs. */
  readonly fields: readonly FieldProblem[];
  /** Problems of output destinations, by output id. */
  readonly places: Readonly<Record<string, string>>;
  /** Problems without a field. */
  readonly general: readonly string[];
}

/**
 * Sorts the server's findings: `/inputs/images/0/location` and `/sink_data/table` have a field, `/options` has none.
 */
export function sortServerProblems(problem: Problem): SortedProblems {
  const fields: FieldProblem[] = [];
  const places: Record<string, string> = {};
  const general: string[] = [];
  for (const { pointer = "", detail, hint } of problem.errors) {
    const message = hint === undefined ? detail : `${detail}. ${hint}`;
    if (pointer.startsWith(INPUTS)) fields.push({ pointer: pointer.slice(INPUTS.length - 1), message });
    else if (pointer.startsWith(PLACES)) {
      const output = unescapeSegment(pointer.slice(PLACES.length));
      places[output] = message;
      general.push(`Destination of ${output}: ${message}`);
    } else general.push(message);
  }
  return { fields, places, general: fields.length + general.length === 0 ? [problem.detail] : general };
}
