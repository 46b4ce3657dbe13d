// npm run interop [-- NAME…]: checks Weft against third-party programs that are installed here, and writes the table of
// docs/reference/interop.md. Each module in `programs` exports a program, or a list `programs`: `name`, `about`, `version()`
// (undefined: it is not installed) and `checks()`, a list of `{what, result, note}` with the result "works", "fails" or
// "not run".
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "../install.mjs";

const PROGRAMS = join(import.meta.dirname, "programs");
const PAGE = join(import.meta.dirname, "../../../docs/reference/interop.md");

ensureInstalled();
const selected = process.argv.slice(2);
const programs = [];
for (const file of readdirSync(PROGRAMS).sort()) {
  const module = await import(join(PROGRAMS, file));
  for (const program of module.programs ?? [module]) await checkWith(program);
}
if (selected.length === 0) writeFileSync(PAGE, page(programs));
process.exitCode = programs.some(({ checks }) => checks.some(({ result }) => result === "fails")) ? 1 : 0;

async function checkWith(program) {
  const { name, about } = program;
  if (selected.length > 0 && !selected.includes(name)) return;
  const version = program.version();
  const checks = version === undefined ? [] : await program.checks();
  for (const { what, result, note } of checks) console.log([name, what, result, note ?? ""].join("\t"));
  programs.push({ name, version, about, checks });
}

function page(all) {
  const rows = all.map(({ name, version, about, checks }) =>
    version === undefined ? [name, "not installed", about, ""] : [name, version, about, resultOf(checks)],
  );
  return `# Programs that work with Weft

\`npm run interop\` writes this page, and prints each check. It runs third-party programs that are installed on the machine
(\`apt-get install cwltool prometheus python3-prov python3-rdflib\`, \`npm install --global bids-validator\`), and those of npm that
\`packages/tooling/clients\` names. The requests of WES clients are written from their documentation.

| program | version | checks | result |
|---|---|---|---|
${rows.map((row) => `| ${row.join(" | ")} |\n`).join("")}`;
}

/** The number of checks that work, and each check that fails or was not run. */
function resultOf(checks) {
  const works = checks.filter(({ result }) => result === "works").length;
  const others = checks.filter(({ result }) => result !== "works");
  const exceptions = others.map(({ what, result, note }) => `${what}: ${[result, note ?? []].flat().join(", ")}`);
  return [`${works} of ${checks.length} work`, ...exceptions].join("; ");
}
