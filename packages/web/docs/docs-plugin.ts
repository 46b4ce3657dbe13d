import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { elementsIn } from "../src/components/markdown/parse-markdown.ts";
import { contentsOf, linksOf, linkTarget, readPages, ROOT, searchableSections, type DocPage } from "./read-pages.ts";

const PREFIX = "virtual:docs";

/** Folders with pages about the development of Weft. */
const DEVELOPMENT = new Set(["adr", "contributing", "project"]);

/**
 * The documentation as modules: `virtual:docs` lists the pages and the parts of the text to search in, and can load each.
 * Each page is a file of its own, so that the application reads only those that someone opens.
 */
export function docs(): Plugin {
  // Reading all pages takes longer than everything else here.
  let read: readonly DocPage[] | undefined;
  return {
    name: "weft-docs",
    buildStart() {
      read = undefined;
    },
    watchChange() {
      read = undefined;
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const pages = (read ??= readPages());
      // The list of decisions is not a file, and Vite imports what it watches.
      for (const file of pages.map((page) => join(ROOT, page.file))) if (existsSync(file)) this.addWatchFile(file);
      const name = id.slice(1 + PREFIX.length);
      if (name === "") return listModule(pages);
      const inFolder = pages.filter((page) => name === `/sections/${folderOf(page)}`);
      if (inFolder.length > 0) return `export default ${JSON.stringify(searchableSections(inFolder))}`;
      const page = pages.find(({ path }) => name === `/page/${path}`);
      return page === undefined ? undefined : pageModule(page, pages);
    },
  };
}

function listModule(pages: readonly DocPage[]): string {
  const entries = pages.map(
    ({ path, title }) =>
      `${JSON.stringify(path)}: { title: ${JSON.stringify(title)}, load: () => import(${JSON.stringify(`${PREFIX}/page/${path}`)}) }`,
  );
  const parts = [...new Set(pages.map(folderOf))].map(
    (folder) =>
      `{ isGuide: ${String(!DEVELOPMENT.has(folder))}, load: () => import(${JSON.stringify(`${PREFIX}/sections/${folder}`)}) }`,
  );
  return [
    `export const contents = ${JSON.stringify(contentsOf(pages))};`,
    `export const pages = { ${entries.join(",\n")} };`,
    `export const sectionParts = [ ${parts.join(",\n")} ];`,
  ].join("\n");
}

/** The folder in docs/: `docs` for its own pages, `project` for files at the root of the repository. */
function folderOf({ file }: DocPage): string {
  const [top, folder, ...rest] = file.split("/");
  if (top !== "docs") return "project";
  return rest.length === 0 ? "docs" : (folder ?? "");
}

function pageModule(page: DocPage, pages: readonly DocPage[]): string {
  const images = elementsIn(page.nodes).flatMap(({ attributes }) => attributes["src"] ?? []);
  const imports = images.map((source, index) => {
    const file = linkTarget(page, source, pages)?.file ?? "";
    return `import image${index} from ${JSON.stringify(`${join(ROOT, file)}?url`)};`;
  });
  const links = linksOf(page).flatMap((href): [string, string][] => {
    const target = linkTarget(page, href, pages);
    if (target?.page === undefined || href.startsWith("#")) return [];
    return [
      [
        href,
        `/doc${target.page.path === "" ? "" : `/${target.page.path}`}${target.anchor === "" ? "" : `#${target.anchor}`}`,
      ],
    ];
  });
  const content = `markdown: ${JSON.stringify(page.markdown)}, links: ${JSON.stringify(Object.fromEntries(links))}`;
  const urls = images.map((source, index) => `${JSON.stringify(source)}: image${index}`);
  return `${imports.join("\n")}\nexport default { ${content}, images: { ${urls.join(", ")} } };`;
}
