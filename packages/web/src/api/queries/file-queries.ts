import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { api } from "../client.ts";

/**
 * The number of pages of folder entries that are read at once. In a larger folder, users find other entries by the
 * beginning of a name.
 */
const MAX_PAGES = 4;

export interface FolderPage {
  readonly entries: readonly FileEntry[];
  readonly total: number | null;
  /** True if there are no others. */
  readonly isWhole: boolean;
}

/** Entries of a data folder whose names begin with `prefix`; "" for the data folders themselves. */
export function browseQuery(location: string, prefix: string) {
  return queryOptions({
    queryKey: ["browse", location, prefix] as const,
    queryFn: ({ signal }) => readFolder(location, prefix, signal),
    placeholderData: keepPreviousData,
  });
}

async function readFolder(location: string, prefix: string, signal: AbortSignal): Promise<FolderPage> {
  const entries: FileEntry[] = [];
  let [token, total]: [string, number | null] = ["", null];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = {
      location: location || undefined,
      q: prefix || undefined,
      page_size: 500,
      page_token: token || undefined,
    };
    // Each page names the next one.
    // eslint-disable-next-line no-await-in-loop
    const answer = await api("GET /api/files", { query, signal });
    entries.push(...answer.entries);
    [token, total] = [answer.next_page_token, answer.total];
    if (token === "") break;
  }
  return { entries, total, isWhole: token === "" };
}

export interface TextHead {
  readonly text: string;
  readonly truncated: boolean;
}

/** The first `maxBytes` of a text file of a run. `url` belongs to this server. */
export function textHeadQuery(url: string, maxBytes: number) {
  return queryOptions({
    queryKey: ["text-head", url, maxBytes] as const,
    queryFn: ({ signal }) => readHead(url, maxBytes, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: FORGET_HEAD_MS,
  });
}

/** Drops heads of hidden files: a gallery may have very many. */
const FORGET_HEAD_MS = 60_000;

async function readHead(url: string, maxBytes: number, signal: AbortSignal): Promise<TextHead> {
  const response = await fetch(url, { headers: { range: `bytes=0-${maxBytes - 1}` }, signal });
  if (response.status === 416) return { text: "", truncated: false }; // an empty file has no first byte
  if (!response.ok) throw new ApiError(response.status, undefined);
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? 0);
  return { text: await response.text(), truncated: total > maxBytes };
}
