import type { Statements } from "./statements.ts";

/** Changes with every commit of the writer, at the latest before the commit is acknowledged. */
export type LogVersion = () => unknown;

/** For a connection that does not write: SQLite counts the commits of other connections, at the cost of system calls. */
export function dataVersion(sql: Statements): LogVersion {
  return () => sql.get("PRAGMA data_version")?.["data_version"];
}

/**
 * Answers to what was asked of the log since it was last written to: watchers ask the same again and again, and between
 * two commits the answer cannot be another.
 */
export class RecentReads<Answer> {
  readonly #versionOfLog: LogVersion;
  readonly #limit: number;
  readonly #answers = new Map<string, Answer>();
  #version: unknown;

  /** Holds at most `limit` answers. */
  constructor(version: LogVersion, limit: number) {
    this.#versionOfLog = version;
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
    const version = this.#versionOfLog();
    if (version === this.#version) return;
    this.#answers.clear();
    this.#version = version;
  }
}
