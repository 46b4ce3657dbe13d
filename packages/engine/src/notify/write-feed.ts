import type { Links } from "@weft/shared/links.ts";
import type { RunRow } from "../journal/rows.ts";
import { timeText } from "../present/present-time.ts";
import { writeMessage } from "./write-message.ts";

/** A run that has ended, and whether its samples wait for a review. */
export interface EndedRun {
  readonly run: RunRow;
  readonly needsReview: boolean;
}

export interface Feed {
  readonly network: string;
  /** Newest first. */
  readonly runs: readonly EndedRun[];
  readonly links: Links;
  readonly nowMs: number;
}

/** An Atom feed (RFC 4287) of ended runs. */
export function writeFeed({ network, runs, links, nowMs }: Feed): string {
  const entries = runs.map((ended) => writeEntry(ended, links)).join("");
  const page = `${links.base}/network/${network}`;
  const updatedMs = Math.max(0, ...runs.map(({ run: { endedMs } }) => endedMs ?? 0));
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n` +
    `<id>${escape(`${links.base}/api/networks/${network}/feed`)}</id>\n<title>${escape(`Runs of ${network}`)}</title>\n` +
    `<link rel="alternate" href="${escape(page)}"/>\n<updated>${timeText(updatedMs === 0 ? nowMs : updatedMs)}</updated>\n` +
    `<generator>Weft</generator>\n${entries}</feed>\n`
  );
}

function writeEntry({ run, needsReview }: EndedRun, links: Links): string {
  const { endedMs, createdMs, runId, owner, outcome } = run;
  const trigger = needsReview ? "review-needed" : outcome === "success" ? "success" : "failure";
  const { data } = writeMessage({ trigger, automationId: null, createdMs }, run, links);
  return (
    `<entry>\n<id>urn:uuid:${runId}</id>\n<title>${escape(data.text)}</title>\n` +
    `<link rel="alternate" href="${escape(data.url)}"/>\n<updated>${timeText(endedMs ?? createdMs)}</updated>\n` +
    `<author><name>${escape(owner)}</name></author>\n<category term="${outcome === "canceled" ? outcome : trigger}"/>\n<summary>${escape(`${outcome ?? "ended"}: ${data.text}`)}</summary>\n</entry>\n`
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** XML 1.0 has no way to write most control characters. */
function escape(text: string): string {
  // eslint-disable-next-line no-control-regex -- the pattern removes them
  const allowed = text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
  return allowed.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
