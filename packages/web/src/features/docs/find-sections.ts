import MiniSearch from "minisearch";
import type { SearchableSection } from "../../../docs/doc-types.ts";

export interface SectionHit {
  /** Path of the page below `/doc`. */
  readonly page: string;
  readonly pageTitle: string;
  /** "" for the beginning of the page. */
  readonly anchor: string;
  readonly heading: string;
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[];
}

/** The best hits, best first, and how many there are. */
export type SectionFinder = (words: string) => { readonly hits: readonly SectionHit[]; readonly total: number };

const MOST_HITS = 30;
const EXCERPT = 160;

/**
 * Indexes sections. The finder returns those that contain all words, also as the beginning of a word. Only if there are
 * none, it allows a typing error in longer words: "failed" must not find "file". Headings count more than text, and decisions less than the pages that explain how to use Weft.
 */
export function indexSections(sections: readonly SearchableSection[]): SectionFinder {
  const index = new MiniSearch<SearchableSection & { readonly id: number }>({
    fields: ["heading", "pageTitle", "text"],
    searchOptions: {
      combineWith: "AND",
      prefix: true,
      boost: { heading: 4, pageTitle: 2 },
      boostDocument: (id) =>
        /^(adr|changelog|contributing|architecture)\b/.test(sections[Number(id)]?.page ?? "") ? 0.1 : 1,
    },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (words) => {
    const exact = index.search(words);
    const results =
      exact.length > 0 ? exact : index.search(words, { fuzzy: (term) => (term.length > 3 ? 0.25 : false) });
    const hits = results.slice(0, MOST_HITS).flatMap((result) => {
      const section = sections[Number(result.id)];
      if (section === undefined) return [];
      const { text, ...place } = section;
      return [{ ...place, excerpt: excerptOf(text, result.terms) }];
    });
    return { hits, total: results.length };
  };
}

/** The surroundings of the first match, with all matches in them marked. */
function excerptOf(text: string, terms: readonly string[]): SectionHit["excerpt"] {
  // RegExp.escape is missing in Chromium before 136, Firefox before 134 and Safari before 18.2.
  const literals = terms.map((term) => term.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const pattern = new RegExp(`(${literals.join("|")})`, "gi");
  const first = Math.max(0, text.search(pattern));
  const start = first < EXCERPT / 2 ? 0 : text.lastIndexOf(" ", first - EXCERPT / 3) + 1;
  const end = start + EXCERPT >= text.length ? text.length : text.lastIndexOf(" ", start + EXCERPT);
  const excerpt = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return excerpt
    .split(pattern)
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}
