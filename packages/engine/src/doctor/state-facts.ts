/** Facts that the database of a state folder records about itself. */
export interface StateFacts {
  /** 0: an empty file. */
  readonly logVersion: number;
  /** True if the tables are those of this version of Weft. */
  readonly isFolded: boolean;
  /** Version of the Weft that wrote it last, if it is recorded. */
  readonly program: string | undefined;
  readonly events: number;
  readonly newestEventMs: number | undefined;
  /** The reason why the content cannot be trusted. */
  readonly damage: string | undefined;
  /** The check covered the whole file; otherwise only its newest events. */
  readonly isWhole: boolean;
}

export type StateFactsAnswer = StateFacts | { readonly unreadable: string };
