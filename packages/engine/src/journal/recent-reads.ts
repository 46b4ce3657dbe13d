import type { Statements } from "./statements.ts";

/** Changes with every commit of the writer, at the latest before the commit is acknowledged. */
export type LogVersion = () => unknown;

/** The version that a read-only connection sees: SQLite counts commits of other connections, with system calls. */
export function dataVersion(sql: Statements): LogVersion {
  return () => sql.get("PRAGMA data_version")?.["data_version"];
}

/**
 * Caches answers until the log is written again: watchers repeat the same queries, and between two commits the answer
 * cannot change.
 */
export class RecentReads<Answer> {
  readonly #versionOfLog: LogVersion;
  readonly #limit: number;
  readonly #answers = new Map<string, Answer>();
  #version: unknown;

  /** `limit`: maximum number of cached answers. */
  constructor(version: LogVersion, limit: number) {
    this.#versionOfLog = version;
    this.#limit = limit;
  }

  /** `key` identifies the question; all callers share the answer. */
  get(key: string, ask: () => Answer): Answer {
    this.#forgetOld();
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    if (this.#answers.size >= this.#limit) this.#answers.clear();
    this.#answers.set(key, answer);
    return answer;
  }

  /** Read the version before the answer: a version older than its answer only expires too soon. */
  #forgetOld(): void {
    const version = this.#versionOfLog();
    if (version === this.#version) return;
    this.#answers.clear();
    this.#version = version;
  }
}
