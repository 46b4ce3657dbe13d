import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { PROBLEMS } from "../shared/src/records/refusal.ts";
import { REASON_CODES, RUN_STATES } from "../shared/src/records/state-names.ts";
import {
  contentsOf,
  linksOf,
  linkTarget,
  readPages,
  ROOT,
  searchableSections,
  type DocPage,
} from "../web/docs/read-pages.ts";
import { elementsIn, headingsOf, parseMarkdown, plainText } from "../web/src/components/markdown/parse-markdown.ts";
import { STATE_LOOKS } from "../web/src/format/state-look.ts";

const pages = readPages();
const start = pageAt("");

/** Sources and documents of the repository; the archive of decisions keeps outdated names. */
const files = ["packages", "docs", "clients", "editors", "."]
  .flatMap(pathsIn)
  .filter((path) => /\.(tsx?|mjs|md)$/.test(path) && !/(^|\/)(node_modules|dist|archive)\//.test(path));
const endsOfPaths = new Set(files.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(at).join("/"))));

/**
 * Paths and decisions that a text names, but that do not exist. In a source, only comments count; `x.test.ts` is any test.
 * A link whose text is a file name must lead to a file of that name.
 */
function deadNames(path: string, text: string): string[] {
  const prose = path.endsWith(".md")
    ? text.replaceAll(/^```[\s\S]*?^```$/gm, "")
    : (text.match(/^\s*(\/\/|\/?\*).*$|(?<=[;{(,] )\/\/ .*$/gm) ?? []).join("\n");
  const sources = [
    ...prose.matchAll(/`((?!x\.)(?:[\w@.*-]+\/)*[\w.*-]+\.(?:tsx?|mjs))`|\b((?:docs|packages)\/[\w./-]+\.\w+)/g),
    ...prose.matchAll(/(?<=[ (])((?!x\.)(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs))(?=[ ,.;:)]|$)/gm),
  ];
  const folders = [...prose.matchAll(/`((?:packages|docs|shared|cwl|language|engine|api|cli|web|tooling)\/[\w/-]+)`/g)];
  const decisions = [...prose.matchAll(/\bADR (\d+)/g)];
  const labels = [...prose.matchAll(/\[(?:[\w-]+\/)*([\w-]+\.md)\]\(([^)#]+)/g)];
  return [
    ...labels.flatMap(([link, name = "", target = ""]) => (target.endsWith(name) ? [] : [link])),
    ...sources.flatMap(([, quoted, plain]) => quoted ?? plain ?? []).filter((name) => !isFile(name)),
    ...folders
      .map(([, name = ""]) => name)
      .filter((name) => !existsSync(join(ROOT, name)) && !existsSync(join(ROOT, "packages", name))),
    ...decisions.flatMap(([name, number = ""]) => (isDecision(number) ? [] : [name])),
  ].map((name) => `${path}: ${name}`);
}

function pathsIn(top: string): string[] {
  return readdirSync(join(ROOT, top), { recursive: top !== ".", encoding: "utf8" }).map((name) => join(top, name));
}

/** A name may leave out the folders at its beginning, and `*` stands for a part of it. */
function isFile(name: string): boolean {
  if (!name.includes("*")) return endsOfPaths.has(name) || existsSync(join(ROOT, name));
  const pattern = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
  return endsOfPaths.values().some((path) => pattern.test(path));
}

function isDecision(number: string): boolean {
  return pages.some(({ path }) => path.startsWith(`adr/${number.padStart(4, "0")}-`));
}

/** Lines that look like a row of a table but are text. */
function strayRows({ file, nodes }: DocPage): string[] {
  const texts = elementsIn(nodes).filter(({ tag }) => tag === "p");
  return texts
    .map((node) => plainText([node]))
    .filter((text) => text.startsWith("|"))
    .map((text) => `${file}: ${text}`);
}

function anchorsOf(page: DocPage): readonly string[] {
  return headingsOf(page.nodes).map(({ id }) => id);
}

function pageAt(path: string): DocPage {
  return pages.find((page) => page.path === path) ?? assert.fail(`no page ${path}`);
}

/** The problem of a link; undefined for a good one. */
function linkFault(page: DocPage, href: string): string | undefined {
  if (/^https?:/.test(href)) return undefined;
  const target = linkTarget(page, href, pages);
  if (target === undefined) return `${page.file}: ${href} leads nowhere`;
  if (target.anchor === "" || target.page === undefined || anchorsOf(target.page).includes(target.anchor))
    return undefined;
  return `${page.file}: ${target.page.file} has no section #${target.anchor}`;
}

describe(`the ${pages.length} pages of the documentation`, () => {
  it("link to pages, sections and files that exist", () => {
    const links = pages.flatMap((page) => linksOf(page).map((href) => ({ page, href })));
    assert.ok(links.length > 200, `${links.length} links`);
    assert.deepEqual(
      links.flatMap(({ page, href }) => linkFault(page, href) ?? []),
      [],
    );
  });

  it("are all in the contents, decisions in a separate list", () => {
    const contents = contentsOf(pages);
    assert.deepEqual(
      contents.map(({ title }) => title),
      ["Where to start", "Tutorials", "How-to guides", "Reference", "Explanation", "Project"],
    );
    const listed = new Set(contents.flatMap((section) => section.pages.map(({ path }) => path)));
    const missing = pages.filter(({ path }) => path !== "" && !path.startsWith("adr/") && !listed.has(path));
    assert.deepEqual(
      missing.map(({ file }) => file),
      [],
    );
  });

  it("have one title each, and all titles differ", () => {
    assert.equal(new Set(pages.map(({ title }) => title)).size, pages.length);
    for (const { file, nodes } of pages) {
      const titles = headingsOf(nodes).filter(({ level }) => level === 1);
      assert.equal(titles.length, 1, file);
      assert.deepEqual(headingsOf(nodes.slice(0, 1)), titles, file);
    }
  });

  it("have no row that a blank line separates from its table", () => assert.deepEqual(pages.flatMap(strayRows), []));

  it("state decisions with a status, in at most 40 lines", () => {
    const decisions = pages.filter(({ file }) => /^docs\/adr\/\d/.test(file));
    for (const { file, markdown } of decisions) {
      assert.match(markdown, /^# \d+\. .*\n\nStatus: (accepted|superseded in part by ADR \d+)\.\n/, file);
      assert.ok(markdown.trimEnd().split("\n").length <= 40, file);
    }
  });

  it("contain every operation and record of the API", () => {
    const anchors = anchorsOf(pageAt("reference/api"));
    for (const anchor of [
      "start-a-run",
      "check-what-this-machine-provides-and-lacks",
      "record-run",
      "record-machinereport",
    ])
      assert.ok(anchors.includes(anchor), anchor);
    assert.equal(new Set(anchors).size, anchors.length);
  });

  it("can be searched section by section", () => {
    const sections = searchableSections(pages);
    assert.ok(sections.length > 400);
    assert.ok(
      sections.some(({ page, anchor, text }) => page === "reference/states" && anchor === "time_limit" && text !== ""),
    );
  });

  it("describe every problem, reason and state, and no others", () => {
    assert.deepEqual(new Set(anchorsOf(pageAt("reference/problems")).slice(1)), new Set(Object.keys(PROBLEMS)));
    const states = pageAt("reference/states");
    for (const code of REASON_CODES) assert.ok(anchorsOf(states).includes(code.toLowerCase()), code);
    const rows = elementsIn(states.nodes).filter(({ tag }) => tag === "tr");
    const words = new Map(
      rows.map(({ children: [word = "", state = ""] }) => [plainText([state]), plainText([word])] as const),
    );
    for (const state of RUN_STATES) assert.equal(words.get(state), STATE_LOOKS[state].word);
  });

  it("are where the application links to", () => {
    const source = join(ROOT, "packages/web/src");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
      /(?<!\.test)\.tsx?$/.test(name),
    );
    // The text after `${` is a code; the test above checks that the page describes it.
    const links = files.flatMap((name) =>
      [...readFileSync(join(source, name), "utf8").matchAll(/["`]\/doc\/([\w/-]+)(?:#([\w-]+))?/g)].map(
        ([, path = "", anchor]) => ({ path, anchor }),
      ),
    );
    assert.ok(links.length > 4);
    for (const { path, anchor } of links)
      assert.ok(anchor === undefined || anchorsOf(pageAt(path)).includes(anchor), `/doc/${path}#${anchor}`);
  });
});

describe(`the ${files.length} sources and documents`, () => {
  it("name only files, folders and decisions that exist", () => {
    const dead = files.flatMap((path) => deadNames(path, readFileSync(join(ROOT, path), "utf8")));
    assert.deepEqual(dead, []);
  });

  it("start sources with the Node of the repository, because older ones cannot read TypeScript", () => {
    const plain = /^(?!.*\badr\/).*(?<!npx )(?<![\w/-])node (?:--test |packages\/)\S+/gm;
    const wrong = files.flatMap((path) => readFileSync(join(ROOT, path), "utf8").match(plain) ?? []);
    assert.deepEqual(wrong, []);
  });
});

/** The texts that the application may show, with single blanks; the catalog has labels of its own. */
const shown = [...files, ...pathsIn("packages/catalog"), "editors/vscode/package.json"]
  .filter((path) => /^packages\/(web\/src\/.*(?<!\.test)\.tsx?|catalog\/.*\.cwl)$|package\.json$/.test(path))
  .map((path) => readFileSync(join(ROOT, path), "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ""))
  .join(" ")
  .replaceAll(/\s+/g, " ");

/** Labels in bold, or italic with a capital, that the application does not have; `…` stands for text that varies. */
function unknownLabels({ file, markdown }: DocPage): string[] {
  const written = markdown.matchAll(/\*\*([^*\n]+)\*\*|(?<!\w)_([A-Z][^_\n]*[^_\n.])_(?!\w)/g);
  const labels = [...written].flatMap(([, bold, italic = ""]) => (bold ?? italic).split(/ → |…/));
  return labels.filter((label) => !shown.includes(label.trim())).map((label) => `${file}: ${label}`);
}

describe("guides and tutorials", () => {
  it("name only labels that the application has, in bold", () => {
    const guides = pages.filter(({ path }) => /^(how-to|tutorials)\//.test(path));
    assert.deepEqual(guides.flatMap(unknownLabels), []);
  });
});

describe("faults", () => {
  it("finds a label that the application does not have", () =>
    assert.equal(
      unknownLabels({ ...start, markdown: "press **Start run** → **Make coffee…** or _Drink tea_" }).length,
      2,
    ));
  it("finds a row after a blank line", () =>
    assert.equal(strayRows({ ...start, nodes: parseMarkdown("| a |\n|---|\n| b |\n\n| c |\n") }).length, 1));
  for (const text of [
    "see `runs/nothing.ts`",
    "(see nothing.ts)",
    "see docs/nothing.md",
    "`packages/nothing`",
    "`no-*.mjs`",
    "ADR 999",
    "[old.md](new.md)",
  ]) {
    it(`finds ${text} in a document and in a comment`, () => {
      assert.equal(deadNames("a.md", text).length, 1);
      assert.equal(deadNames("a.ts", `// ${text}`).length, 1);
      assert.equal(deadNames("a.ts", `const a = 1; // ${text}`).length, 1);
      assert.equal(deadNames("a.ts", `const a = "${text}";`).length, 0);
    });
  }
  for (const href of ["nowhere.md", "glossary.md#nothing", "../packages/nothing.ts", "#nothing"])
    it(`finds ${href}`, () => assert.notEqual(linkFault(start, href), undefined));
});
