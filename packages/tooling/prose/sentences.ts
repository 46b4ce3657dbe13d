// Rules about the form of sentences: a sentence has a noun as its subject, and the name of a test also has a verb.
import type { Phrase } from "./vocabulary.ts";

/** `names`: names of tests; `subjects`: names of groups of tests. */
export type Kind = "comments" | "texts" | "names" | "subjects" | "markdown";

interface SentenceRule extends Phrase {
  readonly kinds: readonly Kind[];
}

/** Verbs of names without a word in -s: “both complete”, “nodes overlap”. */
const PLURAL_VERBS =
  "are|were|was|have|had|do|did|can|cannot|may|might|must|will|would|should|need|never|agree|appear|apply|" +
  "arrive|become|begin|belong|come|complete|contain|continue|depend|differ|end|fail|fill|find|follow|get|" +
  "give|go|hold|join|keep|know|lead|learn|leave|lie|lose|make|mean|meet|move|open|pass|read|reach|refer|" +
  "refuse|remain|resolve|return|run|say|see|send|show|start|stay|stop|take|tell|wait|write";

export const SENTENCE_RULES: readonly SentenceRule[] = [
  {
    kinds: ["comments", "markdown"],
    pattern: /(?<=^\s*|[.!?]\s)(What|Who)\b(?=[^.!?]*([.!]|$))/g,
    instead: "name the thing instead of a clause with “what”",
  },
  {
    kinds: ["comments"],
    pattern:
      /^\s*(Its?|They|Their|Those|That|Nobody|Somebody|Someone|Whoever|(This|These)(?=\s+(is|are|was|were|has|have|can|may|must)\b))\b/g,
    instead: "begin with the noun",
  },
  {
    kinds: ["names", "subjects"],
    pattern:
      /^\s*(what|who|whom|whose|whoever|from whom|of|its?|they|their|that|those|nobody|somebody|someone|the same)\b/gi,
    instead: "begin with the noun or the verb",
  },
  {
    kinds: ["names"],
    pattern: new RegExp(`^(?!.*\\b([a-z-]*[a-z]s(?<!ss)|${PLURAL_VERBS})\\b).*\\S.*$`, "gi"),
    instead: "a name of a test is a sentence with a verb",
  },
];
