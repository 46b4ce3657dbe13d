// node packages/tooling/prose/sentence-length.mjs: prints the mean number of words per sentence for each
// documentation page, longest first, the mean over all pages, and the words in the README. Code, tables and headings do not count.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readPages, ROOT } from "../../web/docs/read-pages.ts";
import { plainText } from "../../web/src/components/markdown/parse-inline.ts";

/** Number of words of each sentence in the paragraphs and lists of a page. */
export function sentenceLengths(blocks) {
  const texts = blocks.flatMap((block) => {
    if (block.kind === "paragraph") return [plainText(block.content)];
    return block.kind === "list" ? block.items.map(plainText) : [];
  });
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?:;])\s+(?=\P{Ll})/u));
  return sentences
    .map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length)
    .filter((words) => words > 0);
}

const mean = (numbers) => numbers.reduce((sum, next) => sum + next, 0) / Math.max(1, numbers.length);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const pages = readPages()
    .filter(({ file }) => file.startsWith("docs/") && !file.startsWith("docs/adr/"))
    .map(({ file, blocks }) => ({ file, lengths: sentenceLengths(blocks) }));
  for (const { file, lengths } of pages.toSorted((a, b) => mean(b.lengths) - mean(a.lengths)))
    console.log(
      `${mean(lengths).toFixed(1).padStart(5)} words × ${String(lengths.length).padStart(3)} sentences  ${file}`,
    );
  const all = pages.flatMap(({ lengths }) => lengths);
  console.log(
    `mean sentence length in docs/: ${mean(all).toFixed(1)} words (${all.length} sentences, ${pages.length} pages)`,
  );
  console.log(`README: ${readFileSync(join(ROOT, "README.md"), "utf8").split(/\s+/).filter(Boolean).length} words`);
}
