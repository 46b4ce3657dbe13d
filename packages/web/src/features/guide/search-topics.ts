import { plainText } from "../../components/markdown/parse-inline.ts";
import type { Block } from "../../components/markdown/parse-markdown.ts";

export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A section of a topic that holds the words. */
export interface TopicHit {
  readonly topic: string;
  readonly topicTitle: string;
  /** Anchor of the section, "" for the beginning of the topic. */
  readonly anchor: string;
  readonly heading: string;
  readonly excerpt: string;
}

interface Section {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

const EXCERPT = 140;

/** Sections in which all words occur, those with a word in their heading first. */
export function searchTopics(topics: readonly Topic[], words: string): readonly TopicHit[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return [];
  const hits = topics.flatMap((topic) =>
    sectionsOf(topic)
      .filter(({ heading, text }) => wanted.every((word) => `${heading} ${text}`.toLowerCase().includes(word)))
      .map((section) => ({
        topic: topic.id,
        topicTitle: topic.title,
        anchor: section.anchor,
        heading: section.heading,
        excerpt: excerptOf(section.text, wanted[0] ?? ""),
      })),
  );
  const inHeading = (hit: TopicHit): number => Number(wanted.some((word) => hit.heading.toLowerCase().includes(word)));
  return hits.toSorted((a, b) => inHeading(b) - inHeading(a));
}

function sectionsOf(topic: Topic): readonly Section[] {
  const sections: { anchor: string; heading: string; text: string }[] = [
    { anchor: "", heading: topic.title, text: "" },
  ];
  for (const block of topic.blocks) {
    if (block.kind === "heading") sections.push({ anchor: block.id, heading: plainText(block.content), text: "" });
    else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${blockText(block)} `;
    }
  }
  return sections;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return plainText(block.content);
    case "code":
      return block.text;
    case "list":
      return block.items.map(plainText).join(" ");
    case "table":
      return [block.head, ...block.rows].flatMap((row) => row.map(plainText)).join(" ");
  }
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT / 3);
  const part = text.slice(at, at + EXCERPT).trim();
  return `${at > 0 ? "…" : ""}${part}${at + EXCERPT < text.length ? "…" : ""}`;
}
