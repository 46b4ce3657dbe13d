import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { textEntityTag } from "../http/entity-tag.ts";

/** The single page of the web application, ready to send. */
export interface WebPage {
  readonly html: string;
  /** False if the application has not been built, so the page says how to build it. */
  readonly isBuilt: boolean;
  readonly entityTag: string;
}

/**
 * Reads `index.html` and adds the prefix of the base address to the `weft-base` meta element, from which the application
 * builds its addresses, and to the addresses of its assets. If the application is not built: a page that says how to.
 */
export async function readWebPage(webRoot: string | undefined, prefix: string): Promise<WebPage> {
  const source = webRoot === undefined ? undefined : await readIfPresent(join(webRoot, "index.html"));
  const html = source === undefined ? NOT_BUILT : underPrefix(source, prefix);
  return { html, isBuilt: source !== undefined, entityTag: textEntityTag(html) };
}

async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

function underPrefix(html: string, prefix: string): string {
  if (prefix === "") return html;
  const based = html.replace(
    /(<meta\s+name="weft-base"\s+content=")[^"]*(")/,
    (_, before: string, after: string) => `${before}${prefix}/${after}`,
  );
  return based.replaceAll('"/static/', `"${prefix}/static/`);
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Weft</title></head>
<body>
<h1>The web application has not been built</h1>
<p>Run <code>npm run build</code> in the folder of Weft and start the server again.</p>
<p>The API works without it: its description is at <a href="api/doc/">api/doc</a>.</p>
</body>
</html>
`;
