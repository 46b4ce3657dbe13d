import { JOB_SORT_KEYS, type JobSort, type JobSortKey } from "@weft/shared/records/job-sorts.ts";
import type { JobFilter } from "../../../api/queries/job-queries.ts";
import { parseBytes, parseDuration } from "../../../format/parse-amount.ts";
import { parseJobState } from "../../../format/state-look.ts";

/** The query parameters that filter the table of jobs. */
export const FILTER_PARAMS = [
  "state",
  "step",
  "sample",
  "q",
  "message",
  "cache",
  "ran-min",
  "ran-max",
  "memory-min",
  "memory-max",
] as const;

/** The filter in the URL; ignores invalid parameters. Without an order in the URL, `order` applies. */
export function parseJobFilter(params: URLSearchParams, order?: JobSort): JobFilter {
  const text = (name: (typeof FILTER_PARAMS)[number]) => params.get(name)?.slice(0, 200) || undefined;
  const amount = (name: (typeof FILTER_PARAMS)[number], parse: (text: string) => number | undefined) =>
    parse(params.get(name) ?? "");
  const state = parseJobState(params.get("state"));
  return {
    state,
    step: text("step"),
    sample: text("sample"),
    q: text("q"),
    message: text("message"),
    cache: (["hit", "miss", "off"] as const).find((decision) => decision === params.get("cache")),
    min_running_ms: amount("ran-min", parseDuration),
    max_running_ms: amount("ran-max", parseDuration),
    min_rss_bytes: amount("memory-min", parseBytes),
    max_rss_bytes: amount("memory-max", parseBytes),
    sort: parseSort(params.get("sort") ?? "") ?? order,
  };
}

interface SortOrder {
  readonly key: JobSortKey;
  readonly descending: boolean;
}

function parseSort(text: string): JobSort | undefined {
  const key = JOB_SORT_KEYS.find((entry) => entry === text.replace(/^-/, ""));
  if (key === undefined) return undefined;
  return text.startsWith("-") ? `-${key}` : key;
}

/** The order of the queue has no column. */
export function sortOrder(sort: JobSort | undefined): SortOrder | undefined {
  const key = JOB_SORT_KEYS.find((entry) => entry === sort?.replace(/^-/, ""));
  return key && { key, descending: sort?.startsWith("-") === true };
}

/**
 * The next sort order of a column: numbers descending first, texts ascending first; then reversed; then queue order.
 */
export function nextSort(sort: JobSort | undefined, key: JobSortKey, isNumber: boolean): JobSort | "" {
  const first: JobSort = isNumber ? `-${key}` : key;
  const second: JobSort = isNumber ? key : `-${key}`;
  if (sort === first) return second;
  return sort === second ? "" : first;
}
