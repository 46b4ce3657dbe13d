import { hash } from "node:crypto";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";

type Entity = Record<string, unknown>;

/** A crate written by another engine: its metadata, and files by path. */
export interface ForeignFixture {
  readonly what: string;
  readonly graph: readonly Entity[];
  readonly files: Readonly<Record<string, string>>;
  readonly isCwl: boolean;
  readonly jobs: number;
  readonly engine: string | null;
}

export const sha1 = (text: string): string => hash("sha1", text);
const id = (of: string) => ({ "@id": of });
const entity = (id: string, type: string | readonly string[], more: Entity = {}) => ({
  "@id": id,
  "@type": type,
  ...more,
});
const parameter = (id: string, name: string, additionalType: string) =>
  entity(id, "FormalParameter", { additionalType, name });
const languageId = (language: string) => `https://w3id.org/workflowhub/workflow-ro-crate#${language}`;
const workflow = (path: string, language: string, more: Entity) =>
  entity(path, ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"], {
    name: path,
    programmingLanguage: id(languageId(language)),
    ...more,
  });
const action = (id: string, more: Entity) => entity(id, "CreateAction", more);
const COMPLETED = "http://schema.org/CompletedActionStatus";

function root(main: string, profiles: readonly string[], extra: Entity = {}): Entity[] {
  return [
    entity("ro-crate-metadata.json", "CreativeWork", {
      about: id("./"),
      conformsTo: id("https://w3id.org/ro/crate/1.1"),
    }),
    entity("./", "Dataset", {
      datePublished: "2026-02-03T00:00:00+00:00",
      mainEntity: id(main),
      conformsTo: profiles.map((profile) => id(`https://w3id.org/ro/wfrun/${profile}`)),
      ...extra,
    }),
  ];
}

/** cwltool's provenance, converted by runcrate: files are named by their checksum. */
function runcrate(): ForeignFixture {
  const [text, result] = ["b\na\n", "a\nb\n"];
  const hash = sha1(result);
  return {
    what: "runcrate",
    isCwl: true,
    jobs: 1,
    engine: "cwltool 3.1",
    files: { "packed.cwl": "{}", [sha1(text)]: text, [hash]: result },
    graph: [
      ...root("packed.cwl", ["process/0.5", "workflow/0.5", "provenance/0.5"]),
      workflow("packed.cwl", "cwl", {
        input: [id("packed.cwl#main/input"), id("packed.cwl#main/reverse")],
        output: [id("packed.cwl#main/output")],
        step: [id("packed.cwl#main/sorted")],
        hasPart: [id("packed.cwl#sorttool.cwl")],
      }),
      entity(languageId("cwl"), "ComputerLanguage", { name: "Common Workflow Language" }),
      parameter("packed.cwl#main/input", "input", "File"),
      parameter("packed.cwl#main/reverse", "reverse", "Boolean"),
      parameter("packed.cwl#main/output", "output", "File"),
      entity("packed.cwl#main/sorted", "HowToStep", { position: "0", workExample: id("packed.cwl#sorttool.cwl") }),
      entity("packed.cwl#sorttool.cwl", "SoftwareApplication", {
        name: "sorttool.cwl",
        input: [id("packed.cwl#sorttool.cwl/input")],
        output: [id("packed.cwl#sorttool.cwl/output")],
      }),
      parameter("packed.cwl#sorttool.cwl/input", "input", "File"),
      parameter("packed.cwl#sorttool.cwl/output", "output", "File"),
      entity(sha1(text), "File", {
        alternateName: "text.txt",
        sha1: sha1(text),
        exampleOfWork: [id("packed.cwl#main/input"), id("packed.cwl#sorttool.cwl/input")],
      }),
      entity(hash, "File", {
        alternateName: "output.txt",
        sha1: hash,
        exampleOfWork: [id("packed.cwl#main/output"), id("packed.cwl#sorttool.cwl/output")],
      }),
      entity("#pv-main/reverse", "PropertyValue", {
        name: "reverse",
        value: "True",
        exampleOfWork: id("packed.cwl#main/reverse"),
      }),
      entity("#engine", "SoftwareApplication", { name: "cwltool 3.1", softwareVersion: "3.1" }),
      entity("https://orcid.org/0000-0001", "Person", { name: "Ada Example" }),
      action("#run", {
        name: "Run of workflow/packed.cwl#main",
        instrument: id("packed.cwl"),
        agent: id("https://orcid.org/0000-0001"),
        startTime: "2026-02-03T10:00:00",
        endTime: "2026-02-03T10:01:00",
        object: [id(sha1(text)), id("#pv-main/reverse")],
        result: [id(hash)],
      }),
      action("#job", {
        name: "Run of workflow/packed.cwl#main/sorted",
        instrument: id("packed.cwl#sorttool.cwl"),
        startTime: "2026-02-03T10:00:10",
        endTime: "2026-02-03T10:00:20",
        object: [id(sha1(text))],
        result: [id(hash)],
      }),
      entity("#control", "ControlAction", { instrument: id("packed.cwl#main/sorted"), object: id("#job") }),
      entity("#organize", "OrganizeAction", { instrument: id("#engine"), object: id("#control"), result: id("#run") }),
    ],
  };
}

/** Steps and actions have arbitrary ids; a file has secondary files; a folder has parts. */
function streamflow(): ForeignFixture {
  return {
    what: "StreamFlow",
    isCwl: true,
    jobs: 2,
    engine: "StreamFlow 0.2.0",
    files: {
      ...{ "main.cwl": "cwlVersion: v1.2", "a.bam": "bam", "a.bam.bai": "bai" },
      ...{ "out/one.txt": "1", "out/two.txt": "2" },
    },
    graph: [
      ...root("main.cwl", ["process/0.4", "workflow/0.4", "provenance/0.4"]),
      workflow("main.cwl", "cwl", { name: "main", input: id("#in"), output: id("#out") }),
      parameter("#in", "reads", "Collection"),
      parameter("#out", "folder", "Dataset"),
      entity("0a1b2c3d-0000-4000-8000-000000000001", "HowToStep", { name: "count", workExample: id("#tool") }),
      entity("#tool", ["SoftwareApplication"], { name: "count", softwareVersion: "1.2" }),
      entity("#bam", "Collection", {
        mainEntity: id("a.bam"),
        hasPart: [id("a.bam"), id("a.bam.bai")],
        exampleOfWork: id("#in"),
      }),
      entity("a.bam", "File"),
      entity("a.bam.bai", "File"),
      entity("out/", "Dataset", { hasPart: [id("out/one.txt"), id("out/two.txt")], exampleOfWork: id("#out") }),
      entity("out/one.txt", "File"),
      entity("out/two.txt", "File"),
      entity("#sf", "SoftwareApplication", { name: "StreamFlow", version: "0.2.0" }),
      action("#r", {
        instrument: id("main.cwl"),
        endTime: "2026-01-05T00:00:10+00:00",
        actionStatus: "CompletedActionStatus",
        object: id("#bam"),
        result: [id("out/")],
      }),
      ...["#j1", "#j2"].map((job) =>
        action(job, {
          instrument: id("#tool"),
          startTime: "2026-01-05T00:00:01+00:00",
          endTime: "2026-01-05T00:00:02+00:00",
          actionStatus: "CompletedActionStatus",
          object: id("#bam"),
          result: id("out/one.txt"),
        }),
      ),
      entity("#c", "ControlAction", {
        instrument: id("0a1b2c3d-0000-4000-8000-000000000001"),
        object: [id("#j1"), id("#j2")],
      }),
      entity("#o", "OrganizeAction", { instrument: id("#sf"), object: [id("#c")], result: [id("#r")] }),
    ],
  };
}

/** Describes only the run as a whole; parameters have names with spaces; a list of data sets is a Collection. */
function galaxy(): ForeignFixture {
  return {
    what: "Galaxy",
    isCwl: false,
    jobs: 0,
    engine: null,
    files: {
      "workflows/w.gxwf.yml": "class: GalaxyWorkflow",
      ...{ "datasets/in_1.txt": "x", "datasets/out_1.txt": "y", "datasets/out_2.txt": "z" },
    },
    graph: [
      ...root("workflows/w.gxwf.yml", ["process/0.5", "workflow/0.5"]),
      entity("workflows/w.gxwf.yml", ["File", "SoftwareSourceCode", "ComputationalWorkflow"], {
        name: "Test workflow",
        programmingLanguage: id(languageId("galaxy")),
        input: [id("#p1")],
        output: [id("#p2")],
      }),
      entity(languageId("galaxy"), "ComputerLanguage", { name: "Galaxy" }),
      parameter("#p1", "Input Dataset", "File"),
      parameter("#p2", "Output", "Collection"),
      entity("datasets/in_1.txt", "File", { name: "1.txt", exampleOfWork: id("#p1") }),
      entity("#list", "Collection", {
        additionalType: "list",
        hasPart: [id("datasets/out_1.txt"), id("datasets/out_2.txt")],
        exampleOfWork: id("#p2"),
      }),
      entity("datasets/out_1.txt", "File"),
      entity("datasets/out_2.txt", "File"),
      action("#wf-run", {
        name: "Test workflow",
        instrument: id("workflows/w.gxwf.yml"),
        actionStatus: COMPLETED,
        object: [id("datasets/in_1.txt")],
        result: [id("#list")],
      }),
    ],
  };
}

/** Tasks name files by their paths on the original machine; one task failed; nothing links tasks to steps. */
function nextflow(): ForeignFixture {
  return {
    what: "Nextflow",
    isCwl: false,
    jobs: 2,
    engine: "Nextflow 24.10.0",
    files: { "main.nf": "workflow {}", "results/all.csv": "1,2\n" },
    graph: [
      ...root("main.nf", ["process/0.1", "workflow/0.1", "provenance/0.1"]),
      workflow("main.nf", "nextflow", { name: "demo" }),
      entity(languageId("nextflow"), "ComputerLanguage", { name: "Nextflow" }),
      entity("#nextflow", "SoftwareApplication", { name: "Nextflow", version: "24.10.0" }),
      entity("main.nf#ALIGN", "SoftwareApplication", { name: "ALIGN" }),
      entity("/home/ada/in.fq", "File", { sha256: "a".repeat(64) }),
      entity("results/all.csv", "File", { encodingFormat: "text/csv" }),
      entity("#genome", "PropertyValue", { name: "genome", value: "GRCh38" }),
      entity("#ada", "Person", { name: "Ada" }),
      action("#run", {
        name: "demo",
        agent: id("#ada"),
        instrument: id("main.nf"),
        startTime: "2026-03-01T08:00:00Z",
        endTime: "2026-03-01T09:00:00Z",
        actionStatus: "http://schema.org/FailedActionStatus",
        error: "one task failed",
        object: [id("#genome"), id("/home/ada/in.fq")],
        result: [id("results/all.csv")],
      }),
      action("#t1", {
        name: "ALIGN (1)",
        instrument: id("main.nf#ALIGN"),
        startTime: "2026-03-01T08:00:00Z",
        endTime: "2026-03-01T08:30:00Z",
        actionStatus: COMPLETED,
        object: [id("/home/ada/in.fq")],
        result: [id("results/all.csv")],
      }),
      action("#t2", {
        name: "ALIGN (2)",
        instrument: id("main.nf#ALIGN"),
        endTime: "2026-03-01T08:40:00Z",
        actionStatus: "http://schema.org/FailedActionStatus",
      }),
      entity("#o", "OrganizeAction", { instrument: id("#nextflow"), result: id("#run"), object: [] }),
    ],
  };
}

export const FOREIGN = [runcrate(), streamflow(), galaxy(), nextflow()] as const;

/** Writes a crate into a folder that does not exist yet. */
export function writeForeign({ graph, files }: Pick<ForeignFixture, "graph" | "files">, folder: string): string {
  const metadata = JSON.stringify({ "@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph });
  writeFiles(folder, { ...files, "ro-crate-metadata.json": metadata });
  return folder;
}
