import { parseMarkdown, type Block } from "../../components/markdown/parse-markdown.ts";
import { searchTopics, type Topic, type TopicHit } from "./search-topics.ts";

const ORDER = [
  "getting-started",
  "running-a-network",
  "inputs-and-files",
  "watching-and-aborting",
  "outputs-and-provenance",
  "states-and-reasons",
  "rest-api",
  "writing-a-catalog",
  "running-a-server",
  "problems",
] as const;

const sources = import.meta.glob<string>("../../guide/*.md", { query: "?raw", import: "default", eager: true });

/** The chapters of the guide, in reading order. */
export const TOPICS: readonly Topic[] = ORDER.map((id) => topicOf(id, sources[`../../guide/${id}.md`] ?? ""));

function topicOf(id: string, source: string): Topic {
  const [first, ...rest]: readonly Block[] = parseMarkdown(source);
  const title =
    first?.kind === "heading" ? first.content.map((part) => ("text" in part ? part.text : "")).join("") : id;
  return { id, title, blocks: rest };
}

export function findInGuide(words: string): readonly TopicHit[] {
  return searchTopics(TOPICS, words);
}
