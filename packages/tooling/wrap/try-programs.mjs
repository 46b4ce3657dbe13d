// Wraps command lines of programs that are installed here and writes the table in docs/reference/wrap.md.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pinnedNode } from "../build.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = join(ROOT, "docs/reference/wrap.md");
const [BEGIN, END] = ["<!-- table -->", "<!-- end of table -->"];

const SETUP = `
printf 'pear\\napple\\nplum\\napple\\n' > fruit.txt
printf 'one\\ntwo\\n' > numbers.txt
printf 'name,count\\na,1\\nb,2\\n' > table.csv
printf 'name,color\\na,red\\nb,blue\\n' > colors.csv
printf '{"name": "x", "list": [1, 2]}' > data.json
printf '<r><a>1</a></r>' > doc.xml
printf '# Title\\n\\nText.\\n' > page.md
printf 'digraph { a -> b }' > graph.dot
printf 'chr1\\t0\\t100\\nchr1\\t50\\t200\\n' > genes.bed
printf 'chr1\\t40\\t60\\n' > peaks.bed
seq=$(printf 'ACGTTGCAAGCTTAGCCATG%.0s' 1 2 3 4 5 6 7 8 9 10)
printf '>ref\\n%s\\n' "$seq" > ref.fa
printf '@r1\\nACGTTGCAAGCTTAGCCATGACGTTGCAAGCT\\n+\\nIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII\\n' > reads.fq
printf '>a\\nACGTACGTAA\\n>b\\nACGTACTTAA\\n' > seqs.fa
printf '@SQ\\tSN:ref\\tLN:200\\nr1\\t0\\tref\\t1\\t60\\t4M\\t*\\t0\\t0\\tACGT\\tIIII\\n' > aln.sam
printf '##fileformat=VCFv4.2\\n##contig=<ID=ref>\\n#CHROM\\tPOS\\tID\\tREF\\tALT\\tQUAL\\tFILTER\\tINFO\\nref\\t1\\t.\\tA\\tC\\t9\\tPASS\\t.\\n' > calls.vcf
samtools view -b -o aln.bam aln.sam 2>/dev/null
sox -n tone.wav synth 0.1 sine 440 2>/dev/null
convert -size 8x8 xc:red photo.png 2>/dev/null
sqlite3 data.db 'create table t (a); insert into t values (1);' 2>/dev/null
true
`;

const COMMANDS = [
  "sort -r -o sorted.txt fruit.txt",
  "wc -l fruit.txt",
  "cut -d , -f 2 table.csv",
  "head -n 2 fruit.txt",
  "uniq -c fruit.txt",
  "tr a-z A-Z < fruit.txt",
  "paste fruit.txt numbers.txt",
  "join -t , table.csv colors.csv",
  "sha256sum fruit.txt",
  "base64 fruit.txt",
  "gzip -c fruit.txt > fruit.txt.gz",
  "tar -czf out.tar.gz fruit.txt numbers.txt",
  "split -l 2 fruit.txt",
  "grep -i pear fruit.txt",
  "sed s/a/b/ fruit.txt",
  "gawk -F , '{print $2}' table.csv",
  "diff fruit.txt numbers.txt",
  "jq -c .name data.json",
  "xmlstarlet sel -t -v //a doc.xml",
  "datamash -t , -H sum 2 < table.csv",
  "sqlite3 -csv data.db 'select * from t'",
  "pandoc -o page.html page.md",
  "dot -Tsvg -o graph.svg graph.dot",
  "convert photo.png -resize 50% small.png",
  "exiftool -json photo.png",
  "sox tone.wav out.wav reverse",
  "ffmpeg -i tone.wav -ar 8000 out.wav",
  "zstd -o fruit.zst fruit.txt",
  "pigz -c fruit.txt > fruit.gz",
  "samtools sort -@ 2 -o sorted.bam aln.bam",
  "samtools flagstat aln.bam",
  "samtools faidx ref.fa",
  "bwa index ref.fa",
  "bwa mem -t 2 ref.fa reads.fq > out.sam",
  "bedtools intersect -a genes.bed -b peaks.bed",
  "bedtools merge -i peaks.bed",
  "bcftools view -o out.vcf calls.vcf",
  "seqtk seq -a reads.fq > reads.fa",
  "minimap2 -a ref.fa reads.fq > out.sam",
  "mafft --auto seqs.fa > aligned.fa",
];

const base = mkdtempSync(join(tmpdir(), "weft-wrap-"));
const data = join(base, "data");
mkdirSync(data);
spawnSync("sh", ["-c", SETUP], { cwd: data });
const weft = (args, cwd) =>
  spawnSync(pinnedNode(), ["--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts"), ...args], {
    cwd,
    encoding: "utf8",
  });

const isInstalled = (command) => spawnSync("sh", ["-c", `command -v ${command.split(" ")[0]}`]).status === 0;

/** The files that a command writes if it runs without Weft, and whether it prints to standard output. */
function outputsOf(command) {
  const folder = mkdtempSync(join(base, "plain-"));
  cpSync(data, folder, { recursive: true });
  const before = new Set(readdirSync(folder));
  const { stdout } = spawnSync("sh", ["-c", command], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const names = readdirSync(folder).filter((name) => !before.has(name));
  return { names, prints: stdout.length > 0 };
}

/** Counts the edits that a wrapped tool needs: one for each output that it lacks, one if its run fails, two if it cannot be wrapped. */
function attempt(command, number) {
  const tool = join(base, `tool-${number}`);
  const wrapped = weft(["wrap", command, "--yes", "--outdir", tool], data);
  const document = wrapped.stdout.trim();
  if (wrapped.status !== 0) return { edits: 2, why: wrapped.stderr.split("\n")[0] };
  const plain = outputsOf(command);
  const run = weft(
    ["run", "--quiet", "--outdir", join(base, `out-${number}`), document, join(tool, "examples/example.yml")],
    data,
  );
  const outputs = run.status === 0 ? Object.values(JSON.parse(run.stdout)) : [];
  const names = new Set(outputs.map(({ basename }) => basename));
  const missing = plain.names.filter((name) => !names.has(name));
  if (run.status !== 0) return { edits: 1, why: "the run fails" };
  if (plain.prints && !outputs.some(({ size }) => size > 0)) missing.push("standard output");
  if (missing.length === 0) return { edits: 0, why: "" };
  const shown = missing.slice(0, 3).join(", ");
  return { edits: missing.length, why: `not an output: ${shown}${missing.length > 3 ? ", …" : ""}` };
}

const rows = COMMANDS.filter(isInstalled).map((command, number) => ({ command, ...attempt(command, number) }));
rmSync(base, { recursive: true, force: true });
const count = (isOne) => rows.filter(isOne).length;
const table = [
  `${rows.length} command lines with \`--yes\`: ${count(({ edits }) => edits === 0)} need no edit, ${count(({ edits }) => edits === 1)} need one, ${count(({ edits }) => edits > 1)} need more.`,
  "",
  "| command line | edits | why |",
  "|---|---|---|",
  ...rows
    .filter(({ edits }) => edits > 0)
    .map(({ command, edits, why }) => `| \`${command.replaceAll("|", "\\|")}\` | ${edits} | ${why} |`),
].join("\n");
const page = readFileSync(PAGE, "utf8");
writeFileSync(PAGE, `${page.slice(0, page.indexOf(BEGIN) + BEGIN.length)}\n${table}\n${page.slice(page.indexOf(END))}`);
console.log(table);
