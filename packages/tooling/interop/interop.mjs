// npm run interop [-- NAME…]: checks Weft against third-party programs that are installed here, and writes the table of
// docs/reference/interop.md. Each module in `programs` exports a program, or a list `programs`: `name`, `version()`
// (undefined: it is not installed) and `checks()`, a list of `{what, result, note}` with the result "works", "fails" or
// "not run".
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "../install.mjs";

const PROGRAMS = join(import.meta.dirname, "programs");
const PAGE = join(import.meta.dirname, "../../../docs/reference/interop.md");

ensureInstalled();
const wanted = process.argv.slice(2);
const programs = [];
for (const file of readdirSync(PROGRAMS).sort()) {
  const module = await import(join(PROGRAMS, file));
  for (const program of module.programs ?? [module]) await checkWith(program);
}
if (wanted.length === 0) writeFileSync(PAGE, page(programs));
process.exitCode = programs.some(({ checks }) => checks.some(({ result }) => result === "fails")) ? 1 : 0;

async function checkWith(program) {
  const { name } = program;
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const version = program.version();
  const checks = version === undefined ? [] : await program.checks();
  for (const { what, result, note } of checks) console.log([name, what, result, note ?? ""].join("\t"));
  programs.push({ name, version, checks });
}

function page(all) {
  const rows = all.flatMap(({ name, version, checks }) =>
    version === undefined
      ? [[name, "not installed", "", ""]]
      : checks.map(({ what, result, note }) => [
          name,
          version,
          what,
          note === undefined ? result : `${result}: ${note}`,
        ]),
  );
  return `# Programs that work with Weft

\`npm run interop\` writes this page. It runs third-party programs that are installed on the machine
(\`apt-get install cwltool prometheus python3-prov python3-rdflib\`, \`npm install --global bids-validator\`), and those of npm that \`packages/tooling/clients\` names. The requests
of WES clients are written from their documentation. A check that is not run says why.

| program | version | check | result |
|---|---|---|---|
${rows.map((row) => `| ${row.join(" | ")} |\n`).join("")}`;
}
