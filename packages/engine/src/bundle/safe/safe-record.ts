import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Job, JobAttempt } from "@weft/shared/records/job-record.ts";
import type { ReasonCode, StateReason } from "@weft/shared/records/state.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { safeImage } from "./safe-tool.ts";
import type { Secret } from "./placeholders.ts";

/** The messages consist of numbers and Weft's own words. */
const OUR_OWN: ReadonlySet<ReasonCode> = new Set(["TOOL_EXIT", "TIME_LIMIT", "OUT_OF_MEMORY", "ABORTED", "PREEMPTED"]);

export interface SafeParts {
  readonly inputs: CwlObject;
  readonly outputs: CwlObject | null;
  readonly container: JobContainer | null;
  /** Bytes per stream. */
  readonly logs: Readonly<Record<string, number>>;
}

/**
 * The job's record, reduced to the fields that this function lists. Contains durations but no times of day, which could
 * identify the job.
 */
export function safeRecord(job: Job, redaction: Redaction, { inputs, outputs, container, logs }: SafeParts) {
  const { state, phase, attempt, exit_code, signal, timing, resources, tool } = job;
  return {
    step: job.step,
    has_sample: job.sample_id !== null,
    scatter_dimensions: job.scatter_index.length,
    tool: { id: tool.id, version: tool.version, class: tool.class },
    state,
    phase,
    state_reason: safeReason(job.state_reason, redaction),
    attempt,
    attempts: job.attempts.map((each) => safeAttempt(each, redaction)),
    exit_code,
    signal,
    timing: { queued_ms: timing.queued_ms, running_ms: timing.running_ms },
    resources,
    backend: job.backend.kind,
    container: safeContainer(container, redaction),
    inputs,
    outputs,
    log_bytes: logs,
  };
}

function safeAttempt({ attempt, state, state_reason, exit_code, signal, used }: JobAttempt, redaction: Redaction) {
  return { attempt, state, state_reason: safeReason(state_reason, redaction), exit_code, signal, used };
}

function safeReason(
  reason: StateReason | null,
  redaction: Redaction,
): Pick<StateReason, "code" | "message" | "hint"> | null {
  if (reason === null) return null;
  const { code, message, hint } = reason;
  const redacted = (text: string) => (OUR_OWN.has(code) ? text : redactText(text, redaction));
  return { code, message: redacted(message), ...(hint === undefined ? {} : { hint: redacted(hint) }) };
}

function safeContainer(container: JobContainer | null, redaction: Redaction): JobContainer | null {
  if (container === null) return null;
  const image = safeImage(container.image);
  return container.engine === "none"
    ? { ...container, image, why: redactText(container.why, redaction) }
    : { ...container, image };
}

interface Redaction {
  readonly secrets: readonly Secret[];
  /** Text that the bundle contains anyway, so its words and quotations may remain. */
  readonly known: string;
}

/** Shorter parts of secrets are usually common words. */
const PART_CHARS = 4;
const NUMBER_CHARS = 2;

/**
 * A sentence with private content removed: addresses, absolute paths, anything known to be secret in whole or in part
 * (ignoring case), and quotations, unless the tool's document contains the same text.
 */
export function redactText(text: string, { secrets, known }: Redaction): string {
  const addresses = text.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"`)]+/gi, "<address>");
  const whole = secrets
    .toSorted((a, b) => b.text.length - a.text.length)
    .reduce((rest, secret) => replaceWord(rest, secret), addresses);
  const paths = whole.replace(/(^|[\s'"`(=:,])(?:~|\.{0,2})\/[^\s'"`),;]+/g, "$1<path>");
  const parts = partsOf(secrets).reduce(
    (rest, part) => (hasWord(known, part) ? rest : replaceWord(rest, { text: part, placeholder: "<private>" })),
    paths,
  );
  return parts.replace(/(`+|'|")((?:(?!\1).)+)\1/gs, (quoted, mark: string, inner: string) =>
    known.includes(inner) || /^<[^<>]*>$/.test(inner) ? quoted : `${mark}<text>${mark}`,
  );
}

function partsOf(secrets: readonly Secret[]): string[] {
  const parts = secrets.flatMap(({ text }) => text.split(/[^\p{L}\p{N}]+/u));
  return [...new Set(parts)].filter((part) => part.length >= (/^\d+$/.test(part) ? NUMBER_CHARS : PART_CHARS));
}

function replaceWord(text: string, { text: secret, placeholder }: Secret): string {
  return text.replace(wordPattern(secret), () => placeholder);
}

function hasWord(text: string, word: string): boolean {
  return wordPattern(word).test(text);
}

/** Matches a word, but not within a longer word or a placeholder. */
function wordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?<!<[^<>]*)${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, "giu");
}
