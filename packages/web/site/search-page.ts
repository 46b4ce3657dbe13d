// The search of the static site. It reads the text of all pages when someone uses the field for the first time.
import type { SearchableSection } from "../docs/doc-types.ts";
import { indexSections, type SectionFinder, type SectionHit } from "../src/features/docs/find-sections.ts";

declare global {
  var weftSections: readonly SearchableSection[] | undefined;
}

const root = document.documentElement.dataset["root"] ?? "";
const field = document.querySelector<HTMLInputElement>("#search");
const hits = document.querySelector<HTMLElement>("#hits");
const article = document.querySelector<HTMLElement>("article");
let finder: Promise<SectionFinder> | undefined;

field?.addEventListener("focus", () => void load());
field?.addEventListener("input", () => void show(field.value.trim()));
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});
// On a phone, the contents would fill the first screen.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector("nav details")?.removeAttribute("open");

function load(): Promise<SectionFinder> {
  finder ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.addEventListener("load", () => resolve(indexSections(globalThis.weftSections ?? [])));
    script.addEventListener("error", () => reject(new Error(`cannot read ${script.src}`)));
    document.head.append(script);
  });
  return finder;
}

async function show(words: string): Promise<void> {
  const find = await load();
  if (hits === null || article === null || field?.value.trim() !== words) return;
  hits.hidden = words === "";
  article.hidden = words !== "";
  if (words === "") return;
  const found = find(words);
  const count = hits.querySelector("p");
  if (count !== null) count.textContent = found.total === 1 ? "1 result" : `${found.total} results`;
  hits.querySelector("ol")?.replaceChildren(...found.hits.map(entryOf));
}

function entryOf(hit: SectionHit): HTMLElement {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${root}${hit.page === "" ? "" : `${hit.page}/`}index.html${hit.anchor === "" ? "" : `#${hit.anchor}`}`;
  link.textContent = hit.anchor === "" ? hit.heading : `${hit.heading} (${hit.pageTitle})`;
  link.addEventListener("click", () => {
    if (field !== null) field.value = "";
    void show("");
  });
  const excerpt = document.createElement("p");
  for (const { text, isMatch } of hit.excerpt) {
    const part = isMatch ? document.createElement("mark") : document.createElement("span");
    part.textContent = text;
    excerpt.append(part);
  }
  entry.append(link, excerpt);
  return entry;
}
