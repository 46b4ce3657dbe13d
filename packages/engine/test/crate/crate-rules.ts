/** An entity of a crate's metadata. */
export type Entity = Readonly<Record<string, unknown>>;

/** Files and folders (with a trailing slash) next to the metadata: path → SHA-256 and size in bytes, which folders lack. */
export type Payload = ReadonlyMap<string, { readonly sha256: string; readonly size: number } | undefined>;

/**
 * The MUST table of Provenance Run Crate 0.5 (with Workflow and Process Run Crate) on RO-Crate 1.1 and 1.2, written from the
 * profiles and not from the code that makes crates. Returns a sentence for each violation.
 */
export function crateViolations(metadata: { readonly "@graph": readonly Entity[] }, payload: Payload): string[] {
  const graph = metadata["@graph"];
  const byId = new Map(graph.map((entity) => [String(entity["@id"]), entity]));
  const crate: CrateView = {
    graph,
    byId,
    payload,
    isNetwork: byId.get("./")?.["mainEntity"] !== undefined,
    hasSteps: graph.some((entity) => is(entity, "ControlAction")),
    found: [],
  };
  for (const check of [checkIds, checkRoot, checkData, checkProcesses, checkParameters, checkSteps, checkActions])
    check(crate);
  return crate.found;
}

interface CrateView {
  readonly graph: readonly Entity[];
  readonly byId: ReadonlyMap<string, Entity>;
  readonly payload: Payload;
  readonly isNetwork: boolean;
  /** Whether steps of the network ran: otherwise there is no provenance of them. */
  readonly hasSteps: boolean;
  readonly found: string[];
}

const list = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());
const ids = (value: unknown): string[] =>
  list(value).flatMap((item) =>
    typeof item === "object" && item !== null && "@id" in item ? String(item["@id"]) : [],
  );
const is = (entity: Entity | undefined, type: string): boolean => list(entity?.["@type"]).includes(type);
const isAddress = (id: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(id);

function need(crate: CrateView, entity: Entity | undefined, ...properties: string[]): void {
  for (const property of properties)
    if (list(entity?.[property]).length === 0 || entity?.[property] === "")
      crate.found.push(`${String(entity?.["@id"])} has no ${property}`);
}

function want(crate: CrateView, holds: boolean, sentence: string): void {
  if (!holds) crate.found.push(sentence);
}

const LITERAL = new Set(["name", "description", "value", "version", "error", "encodingFormat", "contentSize"]);

function checkIds(crate: CrateView): void {
  const seen = new Set<unknown>();
  for (const entity of crate.graph) {
    want(crate, typeof entity["@id"] === "string" && list(entity["@type"]).length > 0, "an entity has no id or type");
    want(crate, !seen.has(entity["@id"]), `${String(entity["@id"])} occurs twice`);
    seen.add(entity["@id"]);
    for (const [property, value] of Object.entries(entity).filter(([name]) => !name.startsWith("@"))) {
      const where = `${String(entity["@id"])}.${property}`;
      for (const id of ids(value)) want(crate, crate.byId.has(id) || isAddress(id), `${where} leads nowhere: ${id}`);
      for (const text of LITERAL.has(property) ? [] : list(value))
        want(crate, typeof text !== "string" || !crate.byId.has(text), `${where} refers to ${String(text)} by a text`);
    }
  }
}

const WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0";
const profile = (name: string) => `https://w3id.org/ro/wfrun/${name}/0.5`;

function checkRoot(crate: CrateView): void {
  const { byId, isNetwork, hasSteps } = crate;
  const descriptor = byId.get("ro-crate-metadata.json");
  want(crate, is(descriptor, "CreativeWork"), "the metadata are no CreativeWork");
  want(crate, ids(descriptor?.["about"])[0] === "./", "the metadata are not about ./");
  const promised = ids(descriptor?.["conformsTo"]);
  for (const version of ["1.1", "1.2"])
    want(crate, promised.includes(`https://w3id.org/ro/crate/${version}`), `the metadata are no RO-Crate ${version}`);
  if (isNetwork) want(crate, promised.includes(WORKFLOW_CRATE), "the metadata do not conform to Workflow RO-Crate 1.0");
  const root = byId.get("./");
  want(crate, is(root, "Dataset"), "./ is no Dataset");
  need(crate, root, "name", "description", "license", "datePublished");
  const profiles = [
    profile("process"),
    ...(isNetwork ? [profile("workflow"), WORKFLOW_CRATE] : []),
    ...(hasSteps ? [profile("provenance")] : []),
  ];
  for (const id of profiles) want(crate, ids(root?.["conformsTo"]).includes(id), `./ does not conform to ${id}`);
  for (const id of ids(root?.["conformsTo"]))
    for (const type of ["CreativeWork", "Profile"]) want(crate, is(byId.get(id), type), `${id} is no ${type}`);
}

function checkData(crate: CrateView): void {
  const reached = new Set<string>();
  const follow = (id: string): void => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const part of ids(crate.byId.get(id)?.["hasPart"])) follow(part);
  };
  follow("./");
  for (const entity of crate.graph) {
    const id = String(entity["@id"]);
    const isData = is(entity, "File") || (is(entity, "Dataset") && id !== "./");
    if (isData) want(crate, reached.has(id), `${id} is not reached by hasPart`);
    if (is(entity, "File") && !isAddress(id) && !id.startsWith("#")) checkFile(crate, entity, id);
    if (is(entity, "Dataset") && id !== "./" && !isAddress(id))
      want(
        crate,
        id.endsWith("/") && crate.payload.has(decodeURIComponent(id)),
        `the folder ${id} is not in the payload`,
      );
  }
  for (const name of crate.payload.keys())
    if (!name.endsWith("/")) want(crate, crate.byId.has(encodePath(name)), `the payload ${name} is not described`);
}

function checkFile(crate: CrateView, entity: Entity, id: string): void {
  const part = crate.payload.get(decodeURIComponent(id));
  if (part === undefined) return void crate.found.push(`${id} is not in the payload`);
  want(crate, entity["sha256"] === part.sha256, `${id} has content that does not match its sha256`);
  want(crate, entity["contentSize"] === String(part.size), `${id} has a size that does not match its contentSize`);
  need(crate, entity, "encodingFormat", "name");
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function checkProcesses(crate: CrateView): void {
  const { byId, graph } = crate;
  const main = ids(byId.get("./")?.["mainEntity"])[0];
  if (main !== undefined) want(crate, is(byId.get(main), "ComputationalWorkflow"), `${main} is not a workflow`);
  for (const entity of graph) {
    const id = String(entity["@id"]);
    if (is(entity, "SoftwareApplication") || is(entity, "ComputerLanguage"))
      need(crate, entity, "name", "url", "version");
    if (is(entity, "SoftwareSourceCode")) want(crate, is(entity, "File"), `the source code ${id} is not a file`);
    if (is(entity, "ComputationalWorkflow")) checkWorkflow(crate, entity, id === main);
  }
}

function checkWorkflow(crate: CrateView, entity: Entity, isMain: boolean): void {
  const { byId, graph, hasSteps } = crate;
  const id = String(entity["@id"]);
  need(crate, entity, "name", "programmingLanguage", ...(hasSteps ? ["hasPart"] : []));
  want(crate, is(entity, "SoftwareSourceCode"), `the workflow ${id} is no SoftwareSourceCode`);
  want(crate, is(byId.get(ids(entity["programmingLanguage"])[0] ?? ""), "ComputerLanguage"), `${id} has no language`);
  want(crate, isMain || id.startsWith("#"), `the sub-network ${id} seems to be payload`);
  if (entity["step"] !== undefined) want(crate, is(entity, "HowTo"), `${id} has steps and is no HowTo`);
  for (const port of [...ids(entity["input"]), ...ids(entity["output"])])
    want(crate, is(byId.get(port), "FormalParameter"), `${port} of ${id} is no FormalParameter`);
  const used = new Set(graph.filter((one) => is(one, "CreateAction")).flatMap((one) => ids(one["instrument"])));
  for (const part of hasSteps ? ids(entity["hasPart"]) : [])
    want(crate, used.has(part), `${part} is a part of ${id}, and nothing was done with it`);
}

const TYPES = new Set(
  "File Dataset Collection Text Integer Float Boolean DataType PropertyValue".split(" "),
) as ReadonlySet<unknown>;

function checkParameters(crate: CrateView): void {
  for (const entity of crate.graph.filter((one) => is(one, "FormalParameter"))) {
    need(crate, entity, "name", "additionalType");
    const id = String(entity["@id"]);
    want(
      crate,
      list(entity["additionalType"]).every((type) => TYPES.has(type)),
      `${id} has an unknown additionalType`,
    );
    for (const flag of ["multipleValues", "valueRequired"])
      want(crate, [undefined, "True", "False"].includes(entity[flag] as string), `${id} has a wrong ${flag}`);
  }
}

function checkSteps(crate: CrateView): void {
  const reached = new Set(crate.graph.flatMap((entity) => ids(entity["step"])));
  for (const entity of crate.graph.filter((one) => is(one, "HowToStep"))) {
    const id = String(entity["@id"]);
    want(crate, reached.has(id), `the step ${id} is not reached by step`);
    const [example = ""] = ids(entity["workExample"]);
    const isProcess = ["SoftwareApplication", "SoftwareSourceCode"].some((type) => is(crate.byId.get(example), type));
    want(crate, isProcess, `the step ${id} carries out nothing`);
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const STATUS = /^http:\/\/schema\.org\/(Completed|Failed)ActionStatus$/;

function checkActions(crate: CrateView): void {
  const mentioned = new Set(ids(crate.byId.get("./")?.["mentions"]));
  for (const entity of crate.graph.filter((one) => String(one["@type"]).endsWith("Action"))) {
    const id = String(entity["@id"]);
    for (const property of ["object", "result"])
      want(crate, entity[property] === undefined || Array.isArray(entity[property]), `${id}.${property} is not a list`);
    need(crate, entity, "instrument", "name");
    want(crate, mentioned.has(id), `the action ${id} is not mentioned by ./`);
    if (is(entity, "CreateAction")) checkCreateAction(crate, entity, id);
    if (is(entity, "ControlAction")) {
      want(crate, is(crate.byId.get(ids(entity["instrument"])[0] ?? ""), "HowToStep"), `${id} controls no step`);
      checkObjects(crate, entity, "CreateAction");
    }
    if (is(entity, "OrganizeAction")) {
      checkObjects(crate, entity, "ControlAction");
      want(crate, is(crate.byId.get(ids(entity["result"])[0] ?? ""), "CreateAction"), `${id} results in no run`);
    }
  }
}

function checkObjects(crate: CrateView, entity: Entity, type: string): void {
  const objects = ids(entity["object"]);
  const fits = objects.length > 0 && objects.every((object) => is(crate.byId.get(object), type));
  want(crate, fits, `the objects of ${String(entity["@id"])} are not of the type ${type}`);
}

function checkCreateAction(crate: CrateView, entity: Entity, id: string): void {
  need(crate, entity, "agent", "startTime", "endTime", "actionStatus");
  for (const time of ["startTime", "endTime"])
    want(crate, TIME.test(String(entity[time])), `${id} has a wrong ${time}`);
  want(crate, STATUS.test(String(entity["actionStatus"])), `${id} has a wrong actionStatus`);
  if (String(entity["actionStatus"]).includes("Failed")) need(crate, entity, "error");
  for (const usage of ids(entity["resourceUsage"]))
    need(crate, crate.byId.get(usage), "propertyID", "unitCode", "value");
  for (const image of ids(entity["containerImage"])) need(crate, crate.byId.get(image), "registry", "name", "tag");
}
