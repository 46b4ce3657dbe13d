import type { EventType } from "@weft/shared/events/event.ts";
import type { DeliveryTrigger } from "@weft/shared/records/subscription-names.ts";
import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";
import type { Statements } from "./statements.ts";

export type EventOf<Type extends EventType> = Extract<NewEvent, { readonly type: Type }>;

/** False: the event comes too late, changes nothing and must not be recorded. */
type EventFold<Type extends EventType> = (event: EventOf<Type>, into: Projection) => boolean | void;

/** The tables of a feature. The log folds each event itself, then lets the features fold it. */
export interface LogFeature {
  /** Statements that create the tables. */
  readonly tables: string;
  /** Only the fold of an event that the log does not fold may refuse it. */
  readonly folds: { readonly [Type in EventType]?: EventFold<Type> };
  /** False for a run that must not be created. */
  readonly mayStart?: (event: EventOf<"run.created">, sql: Statements) => boolean;
  /** Called with each occurrence that another feature announces. */
  readonly occurred?: (about: Occurrence, into: Projection) => void;
  /** Facts about the samples of a run, for other features. */
  readonly samples?: (sql: Statements) => SampleFacts;
}

/** The occasion, and whose subscribers want to know. */
export interface Occurrence {
  readonly trigger: Exclude<DeliveryTrigger, "test">;
  readonly owner: string;
  readonly runId?: string | undefined;
  readonly network?: string | undefined;
  readonly automationId?: string | undefined;
}

export interface SampleFacts {
  /** Fields by sample. */
  readonly fieldsOf: (runId: string, most: number) => ReadonlyMap<string, ReadonlyMap<string, string | null>>;
  /** Number of samples that wait for a user. */
  readonly waiting: (runId: string) => number;
}

type AnyFold = (event: NewEvent, into: Projection) => boolean | void;

/** The folds of all features, by the type of the event. */
export class FeatureFolds {
  readonly #features: readonly LogFeature[];
  readonly #folds: ReadonlyMap<string, readonly AnyFold[]>;

  constructor(features: readonly LogFeature[]) {
    this.#features = features;
    const all = features.flatMap(({ folds }) => Object.entries(folds));
    const byType = Map.groupBy(all, ([type]) => type);
    // A fold is only called with events of its type.
    this.#folds = new Map([...byType].map(([type, found]) => [type, found.map(([, fold]) => fold as AnyFold)]));
  }

  fold(event: NewEvent, into: Projection): boolean {
    return this.#folds.get(event.type)?.every((fold) => fold(event, into) !== false) ?? true;
  }

  announce(about: Occurrence, into: Projection): void {
    for (const { occurred } of this.#features) occurred?.(about, into);
  }

  mayStart(event: EventOf<"run.created">, sql: Statements): boolean {
    return this.#features.every((feature) => feature.mayStart?.(event, sql) !== false);
  }
}
