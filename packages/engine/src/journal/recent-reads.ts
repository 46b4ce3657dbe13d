import type { Statements } from "./statements.ts";

/**
 * Answers to what was asked of the log since it was last written to: watchers ask the same again and again, and between
 * two commits the answer cannot be another. For a connection beside the writer's: SQLite tells it by `data_version` that
 * another one has committed, and does not count a connection's own commits.
 */
export class RecentReads<Answer> {
  readonly #sql: Statements;
  readonly #limit: number;
  readonly #answers = new Map<string, Answer>();
  #version: unknown;

  /** Holds at most `limit` answers. */
  constructor(sql: Statements, limit: number) {
    this.#sql = sql;
    this.#limit = limit;
  }

  /** `key` names the question; the answer is shared with whoever asked it before. */
  get(key: string, ask: () => Answer): Answer {
    this.#forgetOld();
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    if (this.#answers.size >= this.#limit) this.#answers.clear();
    this.#answers.set(key, answer);
    return answer;
  }

  /** The version is read before the answer: one that is older than its answer is only forgotten too soon. */
  #forgetOld(): void {
    const version = this.#sql.get("PRAGMA data_version")?.["data_version"];
    if (version === this.#version) return;
    this.#answers.clear();
    this.#version = version;
  }
}
