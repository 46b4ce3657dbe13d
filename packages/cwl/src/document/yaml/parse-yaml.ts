import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import type { Diagnostic } from "../../diagnostic.ts";
import { buildTree } from "./build-tree.ts";
import { joinFlowLines } from "./join-flow-lines.ts";
import type { SourceText } from "./source-text.ts";
import { syntaxHint } from "./syntax-hint.ts";
import type { ParsedYaml } from "./parsed-yaml.ts";
import { MAX_DEPTH, MAX_TEXT_LENGTH } from "./yaml-limits.ts";

/**
 * Parses one YAML 1.2 or JSON document with the position of every node. Never throws for an invalid document: problems are
 * diagnostics, and a document with a syntax error has no other one.
 */
export function parseYaml(source: SourceText): ParsedYaml {
  if (source.text.length > MAX_TEXT_LENGTH) {
    const message = `The document is larger than ${MAX_TEXT_LENGTH / 2 ** 20} MiB`;
    return failure(source, { offset: 0, code: "yaml-limit", message });
  }
  const read = readEvents(source);
  if ("diagnostics" in read) return read;
  const { events, loose } = read;
  if (events.length === 0)
    return failure(source, { offset: 0, code: "empty-document", message: "The document is empty" });
  const documents = events.filter((event) => event.type === EVENT_ID.DOCUMENT).length;
  if (documents > 1 && !(documents === 2 && isLastEmpty(events)))
    return failure(source, {
      offset: secondDocument(events),
      code: "yaml-syntax",
      message: "The file contains more than one YAML document",
      hint: "put several processes of one file in a list below `$graph`",
    });
  const { root, diagnostics } = buildTree(source, events);
  return { root, diagnostics: [...foreignCharacters(source), ...diagnostics], loose };
}

/** Reports bytes that are not valid UTF-8, which were read as replacement characters. */
function foreignCharacters(source: SourceText): readonly Diagnostic[] {
  const offset = source.text.indexOf("\uFFFD");
  if (offset === -1) return [];
  const message = "This character is not valid UTF-8, so its original value is lost";
  const hint = "save the file as UTF-8";
  return [{ severity: "warning", code: "not-utf8", message, hint, ...source.positionAt(offset) }];
}

interface ReadEvents {
  readonly events: readonly Event[];
  readonly loose: readonly number[];
}

function readEvents(source: SourceText): ReadEvents | ParsedYaml {
  const events = tryEvents(source.text);
  if (!(events instanceof YAMLException)) return { events, loose: [] };
  const { reason, mark } = events;
  if (reason !== "deficient indentation") return syntaxFailure(source, reason, mark?.position);
  const joined = joinFlowLines(source.text);
  const again = tryEvents(joined.text);
  if (again instanceof YAMLException)
    return joined.unclosed === undefined
      ? syntaxFailure(source, again.reason, again.mark?.position)
      : syntaxFailure(source, reason, joined.unclosed);
  return { events: again.map(withBreaks), loose: joined.loose };
}

/** A scalar that the parser saw on one line may extend over several in the original text. */
function withBreaks(event: Event): Event {
  return event.type === EVENT_ID.SCALAR ? { ...event, fast: false } : event;
}

/** The parser can refuse a text only by throwing. */
function tryEvents(text: string): readonly Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return error;
  }
}

function syntaxFailure(source: SourceText, reason: string, offset = 0): ParsedYaml {
  const message = `This is not valid YAML: ${reason}`;
  return failure(source, { offset, code: "yaml-syntax", message, hint: syntaxHint(reason, source.text, offset) });
}

/** True if the last document is empty, as after a line `---` at the end. */
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

interface Failure {
  readonly offset: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

function failure(source: SourceText, { offset, code, message, hint }: Failure): ParsedYaml {
  const diagnostic = { severity: "error", code, message, ...source.positionAt(offset) } as const;
  return { root: undefined, diagnostics: [hint === undefined ? diagnostic : { ...diagnostic, hint }] };
}
