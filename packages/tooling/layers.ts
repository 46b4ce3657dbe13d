/**
 * The layers within a package, from top to bottom, each with its folders. A folder imports only from folders to its right and
 * from lower layers, types included. "." means the files directly in `src`.
 */
export const LAYERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  engine: {
    server: ["app", "document"],
    features: [
      ...["workbench", "doctor", "datasets", "provenance", "bundle", "retention", "backup", "tests", "reviews"],
      ...["operations", "insight", "notify", "automate", "table"],
    ],
    runs: ["runs", "sink"],
    jobs: ["jobs"],
    documents: ["drafts", "wes-documents", "catalog"],
    machine: ["container", "sandbox", "executor"],
    records: ["read", "present", "access", "secrets", "state", "values"],
    log: ["port", "journal"],
    foundation: ["archive", "files", "script", "schedule", "async", "."],
  },
  cwl: {
    execution: ["outputs", "workflow", "command"],
    documents: ["document"],
    values: ["files", "expression", "links", "check", "values"],
    model: ["model", "."],
  },
  language: {
    services: ["."],
    texts: ["upgrade", "edit"],
    tools: ["wrap", "tool-tests"],
  },
  api: {
    server: ["."],
    answers: ["handlers", "ga4gh", "files", "events", "documentation"],
    requests: ["guard", "routing", "forms", "audit", "auth"],
    foundation: ["pages", "json", "limits", "http", "metrics", "address"],
  },
  cli: {
    entries: ["cwl-runner", ".", "declarations"],
    commands: ["commands", "inputs", "language-server", "tool-tests", "server"],
    foundation: ["settings", "output", "exit", "io"],
  },
  shared: {
    routes: ["routes"],
    features: ["dataset", "drawing", "image", "text"],
    contract: ["fold", "events", "records", "json", "."],
  },
  web: {
    app: [".", "shell", "routes"],
    features: ["sign-in", "features"],
    blocks: ["components", "ui"],
    data: ["api", "format"],
  },
};

/**
 * Features of the engine that only `app/features.ts` and their own commands of the command line know, by folder: each can
 * be deleted with its entry there and its commands.
 */
export const SEPARATE_FEATURES: Readonly<Record<string, readonly string[]>> = {
  ...{ reviews: [], automate: [], notify: [], bundle: [], operations: [], table: [], datasets: [] },
  retention: ["prune"],
  backup: ["backup", "restore"],
};

export interface Import {
  /** Path of the importing source, relative to the package's `src`. */
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** Sources of one package by their path relative to its `src`, without tests. */
export type Sources = ReadonlyMap<string, string>;

/** The sources of a package among files whose paths start with the package's name. */
export function sourcesOf(name: string, files: ReadonlyMap<string, string>): Sources {
  const prefix = `${name}/src/`;
  const isSource = (path: string) => path.startsWith(prefix) && !/\.test\.tsx?$|\/testing\//.test(path);
  return new Map([...files].flatMap(([path, text]) => (isSource(path) ? [[path.slice(prefix.length), text]] : [])));
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\b)?[^;"']*?["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']|new URL\(\s*["'](\.[^"']+\.ts)["']/gm;

/** Imports between sources of one package. */
export function importsWithin(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].flatMap(([, type, named, dynamic, worker]) => {
      const to = resolveFrom(from, named ?? dynamic ?? worker ?? "");
      return sources.has(to) ? [{ from, to, isTypeOnly: type !== undefined }] : [];
    }),
  );
}

function resolveFrom(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

/** The first folders of a path, at most `depth` of them. */
export function folderOf(path: string, depth = 1): string {
  return path.split("/").slice(0, -1).slice(0, depth).join("/") || ".";
}

/** Imports that point upwards or to the left, and folders without a layer. */
export function layerViolations(name: string, sources: Sources): string[] {
  const order = Object.values(LAYERS[name] ?? {}).flat();
  const levels = new Map(order.map((folder, level) => [folder, level]));
  const withoutLayer = new Set(
    [...sources.keys()].map((path) => folderOf(path)).filter((folder) => !levels.has(folder)),
  );
  const upward = importsWithin(sources).filter(({ from, to }) => {
    const [above, below] = [levels.get(folderOf(from)), levels.get(folderOf(to))];
    return above !== undefined && below !== undefined && folderOf(from) !== folderOf(to) && below <= above;
  });
  return [
    ...[...withoutLayer].map((folder) => `${name}/src/${folder} has no layer`),
    ...upward.map(
      ({ from, to }) => `${name}/src/${from} imports ${to}: ${folderOf(from)} may not import ${folderOf(to)}`,
    ),
  ];
}
