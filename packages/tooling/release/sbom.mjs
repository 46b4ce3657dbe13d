// Makes the list of components in CycloneDX format with that project's own tool, which is installed only for this.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT, run } from "../install.mjs";

const TOOL = join(import.meta.dirname, "cyclonedx");

export function writeComponents({ out, name, version }) {
  run("npm", ["ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: TOOL,
  });
  const file = join(out, `${name}-${version}.cdx.json`);
  const made = spawnSync(
    process.execPath,
    [
      join(TOOL, "node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js"),
      ...["--package-lock-only", "--omit", "dev", "--omit", "optional", "--output-reproducible"],
      ...["--spec-version", "1.6", "--mc-type", "application", "--output-file", file],
    ],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`cyclonedx-npm failed: ${made.stderr}`);
}
