import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { before, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { readPages, ROOT } from "../docs/read-pages.ts";

const SITE = join(ROOT, "packages/web/site");

/** Links of a page that lead to no file of the site, or to no anchor of its page; and what comes from elsewhere. */
function faultsOf(file: string): string[] {
  const html = readFileSync(file, "utf8");
  return [...html.matchAll(/<(\w+)[^>]*? (?:href|src)="([^"]*)"/g)].flatMap(([, tag, address = ""]) => {
    if (/^https?:/.test(address)) return tag === "a" ? [] : [`${file} loads ${address}`];
    const [path = "", anchor] = address.split("#");
    const target = path === "" ? file : resolve(dirname(file), path);
    if (!existsSync(target)) return [`${file}: ${address}`];
    if (anchor === undefined || readFileSync(target, "utf8").includes(`id="${anchor}"`)) return [];
    return [`${file}: ${address}`];
  });
}

describe("the documentation as a site", () => {
  let folder: string;
  let files: readonly string[];

  before(async () => {
    folder = temporaryFolder();
    const script = `import { writeSite } from ${JSON.stringify(join(SITE, "write-site.mjs"))}; await writeSite(process.argv[1]);`;
    execFileSync(process.execPath, ["--input-type=module", "-e", script, folder], { cwd: ROOT, stdio: "pipe" });
    files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  });

  it("has every page, and each link leads to a page and a section of it", () => {
    const pages = files.filter((file) => file.endsWith(".html"));
    assert.equal(pages.length, readPages().length);
    assert.deepEqual(pages.flatMap(faultsOf), []);
    for (const page of pages)
      assert.match(readFileSync(page, "utf8"), /Content-Security-Policy" content="default-src 'none'/);
  });

  it("shows files, outputs and images", () => {
    const tutorial = readFileSync(join(folder, "tutorials/your-own-network/index.html"), "utf8");
    assert.match(tutorial, /<p class="file">study\.yml<\/p>/);
    assert.match(tutorial, /class="output"><code>subject,rate/);
    assert.match(tutorial, /\$\(inputs\.recording\.nameroot\)/);
    assert.ok(existsSync(join(folder, "docs/images/performance.svg")));
  });

  it("searches without a server", () => {
    assert.ok(readFileSync(join(folder, "search-index.js"), "utf8").startsWith('globalThis.weftSections = [{"page":"'));
    assert.ok(readFileSync(join(folder, "search.js"), "utf8").length < 40_000);
  });
});
