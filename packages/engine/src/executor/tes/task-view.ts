/** Task states of TES 1.1, final ones last. */
const ACTIVE = ["UNKNOWN", "QUEUED", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING"] as const;
const FINAL = ["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"] as const;
export type FinalState = (typeof FINAL)[number];
export type TaskState = (typeof ACTIVE)[number] | FinalState;

/** The fields of a server's task record that Weft reads. */
export interface TaskView {
  readonly id: string;
  /** A state that TES does not define counts as UNKNOWN: the task may be running. */
  readonly state: TaskState;
  /** The name; empty if the view does not include it. */
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The log of the last attempt; undefined if there is none, or if the view leaves it out. */
  readonly log: TaskLog | undefined;
}

export interface TaskLog {
  /** The exit code of the one executor; undefined if the server does not report it. */
  readonly exitCode: number | undefined;
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
  /** The server's own messages, oldest first. */
  readonly system: readonly string[];
}

export interface TaskPage {
  readonly tasks: readonly TaskView[];
  /** The token of the next page; undefined on the last page. */
  readonly nextToken: string | undefined;
}

export function isFinalState(state: TaskState): state is FinalState {
  return FINAL.some((final) => final === state);
}

/** Parses a task; undefined if it is invalid. `id`: the requested one, which some servers do not repeat. */
export function readTask(json: unknown, id?: string): TaskView | undefined {
  const task = objectOf(json);
  const own = textOf(task?.["id"]) ?? id;
  if (task === undefined || own === undefined || own === "") return undefined;
  const state = [...ACTIVE, ...FINAL].find((known) => known === task["state"]) ?? "UNKNOWN";
  return { id: own, state, name: textOf(task["name"]) ?? "", tags: tagsOf(task["tags"]), log: logOf(task["logs"]) };
}

/** Some servers return this for unknown ids: without an id and a state, there is no task. */
export function isNoTask(json: unknown): boolean {
  const task = objectOf(json);
  return task !== undefined && !("id" in task) && !("state" in task);
}

/** Parses a response of ListTasks; undefined if it is invalid. A server without tasks may leave the list out. */
export function readPage(json: unknown): TaskPage | undefined {
  const page = objectOf(json);
  if (page === undefined) return undefined;
  const tasks = listOf(page["tasks"]).flatMap((task) => readTask(task) ?? []);
  const token = textOf(page["next_page_token"]);
  return { tasks, nextToken: token === "" ? undefined : token };
}

/** The id in a response of CreateTask. */
export function readCreated(json: unknown): string | undefined {
  const id = textOf(objectOf(json)?.["id"]);
  return id === "" || id?.includes("\n") === true ? undefined : id;
}

function tagsOf(json: unknown): TaskView["tags"] {
  const texts = Object.entries(objectOf(json) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}

function logOf(json: unknown): TaskLog | undefined {
  const log = objectOf(listOf(json).at(-1));
  if (log === undefined) return undefined;
  const executor = objectOf(listOf(log["logs"]).at(-1));
  // Servers that omit zeros omit this field.
  const exitCode = executor === undefined ? undefined : (executor["exit_code"] ?? 0);
  return {
    exitCode: typeof exitCode === "number" && Number.isInteger(exitCode) ? exitCode : undefined,
    stdout: textOf(executor?.["stdout"]),
    stderr: textOf(executor?.["stderr"]),
    system: listOf(log["system_logs"]).flatMap((line) => textOf(line) ?? []),
  };
}

function objectOf(json: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  return json as Readonly<Record<string, unknown>>; // checked above
}

function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

function textOf(json: unknown): string | undefined {
  return typeof json === "string" ? json : undefined;
}
