import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import { buildTree } from "./build-tree.ts";
import type { SourceText } from "./source-text.ts";
import type { ParsedYaml } from "./parsed-yaml.ts";
import { MAX_DEPTH, MAX_TEXT_LENGTH } from "./yaml-limits.ts";

/**
 * Parses one YAML 1.2 or JSON document with the place of every node. Whatever is wrong is a diagnostic; after a syntax
 * error that is the only one.
 */
export function parseYaml(source: SourceText): ParsedYaml {
  if (source.text.length > MAX_TEXT_LENGTH) {
    return failure(source, 0, "yaml-limit", `The document is larger than ${MAX_TEXT_LENGTH / 2 ** 20} MiB`);
  }
  const events = readEvents(source);
  if (!Array.isArray(events)) return events;
  if (events.length === 0) return failure(source, 0, "empty-document", "The document is empty");
  const documents = events.filter((event) => event.type === EVENT_ID.DOCUMENT).length;
  if (documents > 1 && !(documents === 2 && isLastEmpty(events)))
    return failure(source, secondDocument(events), "yaml-syntax", "The file holds more than one YAML document");
  return buildTree(source, events);
}

function readEvents(source: SourceText): Event[] | ParsedYaml {
  try {
    return parseEvents(source.text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    // The parser knows no other way to refuse a text than to throw.
    if (!(error instanceof YAMLException)) throw error;
    return failure(source, error.mark?.position ?? 0, "yaml-syntax", `This is not valid YAML: ${error.reason}`);
  }
}

/** A line `---` at the end begins a document without anything in it. */
function isLastEmpty(events: readonly Event[]): boolean {
  const content = events[events.findLastIndex((event) => event.type === EVENT_ID.DOCUMENT) + 1];
  return content === undefined || (content.type === EVENT_ID.SCALAR && content.valueStart === -1);
}

function secondDocument(events: readonly Event[]): number {
  const index = events.findLastIndex((event) => event.type === EVENT_ID.DOCUMENT);
  const content = events[index + 1];
  if (content === undefined || !("start" in content || "valueStart" in content)) return 0;
  return Math.max(0, "start" in content ? content.start : content.valueStart);
}

function failure(source: SourceText, offset: number, code: string, message: string): ParsedYaml {
  return {
    root: undefined,
    diagnostics: [{ severity: "error", code, message, ...source.positionAt(offset) }],
  };
}
