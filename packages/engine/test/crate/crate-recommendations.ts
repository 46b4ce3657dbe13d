import type { Entity } from "./crate-rules.ts";

/**
 * The rules with SHOULD in RO-Crate 1.1 and the profiles of Provenance Run Crate 0.5, written from them and not from
 * the code that makes crates. Returns the violations, in sentences.
 */
export function unmetRecommendations(graph: readonly Entity[]): string[] {
  const byId = new Map(graph.map((entity) => [String(entity["@id"]), entity]));
  return [...missingProperties(graph, byId), ...lostConnections(graph, byId), ...wrongExamples(graph, byId)];
}

type Entities = ReadonlyMap<string, Entity>;

const idsIn = (value: unknown): string[] =>
  [value ?? []].flat().map((one) => String((one as { readonly "@id"?: unknown })["@id"])); // tests read them as ids

/** A connection belongs to the step that receives it, or to the workflow of which it is an output. */
function lostConnections(graph: readonly Entity[], byId: Entities): string[] {
  const holders = graph.filter((entity) => entity["connection"] !== undefined);
  return graph.filter(is("ParameterConnection")).flatMap((connection) => {
    const [target] = idsIn(connection["targetParameter"]);
    const isHeld = holders.some((holder) => {
      const receiver = is("HowToStep")(holder) ? byId.get(idsIn(holder["workExample"])[0] ?? "") : holder;
      const parameters = idsIn(receiver?.[is("HowToStep")(holder) ? "input" : "output"]);
      return idsIn(holder["connection"]).includes(String(connection["@id"])) && parameters.includes(String(target));
    });
    return isHeld ? [] : [`${String(connection["@id"])} should belong to what receives it`];
  });
}

/** An example of a parameter has its type. */
function wrongExamples(graph: readonly Entity[], byId: Entities): string[] {
  return graph.filter(is("File", "Dataset", "Collection")).flatMap((entity) =>
    idsIn(entity["exampleOfWork"]).flatMap((id) => {
      const type = ["File", "Dataset", "Collection"].find((each) => is(each)(entity));
      const types = new Set<unknown>([byId.get(id)?.["additionalType"]].flat());
      return types.has(type) || types.has("DataType") ? [] : [`${id} should have the type ${String(type)}`];
    }),
  );
}

function missingProperties(graph: readonly Entity[], byId: Entities): string[] {
  return graph.flatMap((entity) =>
    WISHES.filter(({ of }) => of(entity)).flatMap(({ has, given = () => true }) =>
      has
        .filter((property) => given(entity) && !isThere(entity[property], byId))
        .map((property) => `${String(entity["@id"])} should have ${property}`),
    ),
  );
}

interface Recommendation {
  readonly of: (entity: Entity) => boolean;
  readonly given?: (entity: Entity) => boolean;
  readonly has: readonly string[];
}

const is =
  (...types: string[]) =>
  (entity: Entity) =>
    [entity["@type"]].flat().some((type) => types.includes(String(type)));
const isLocal = (entity: Entity) => !/^([a-z][a-z0-9+.-]*:|#)/i.test(String(entity["@id"]));
const isFailed = (entity: Entity) => String(entity["actionStatus"]).endsWith("FailedActionStatus");
const isRoot = (entity: Entity) => entity["@id"] === "./";

const WISHES: readonly Recommendation[] = [
  { of: isRoot, has: ["author", "publisher", "conformsTo", "hasPart", "mentions"] },
  { of: is("File"), given: isLocal, has: ["name", "encodingFormat", "contentSize"] },
  { of: is("Dataset"), given: (one) => !isRoot(one), has: ["name"] },
  { of: is("Person", "Organization", "SoftwareApplication", "SoftwareSourceCode"), has: ["name"] },
  { of: is("SoftwareApplication"), has: ["url", "version"] },
  { of: is("SoftwareSourceCode"), has: ["version"] },
  { of: is("ComputationalWorkflow"), has: ["conformsTo", "input", "output", "step"] },
  { of: is("ComputerLanguage"), has: ["name", "alternateName", "identifier", "url", "version"] },
  { of: is("CreativeWork"), given: (one) => one["conformsTo"] === undefined, has: ["name"] },
  { of: is("FormalParameter"), has: ["conformsTo", "valueRequired"] },
  { of: is("HowToStep"), has: ["name", "position", "workExample"] },
  { of: is("CreateAction"), has: ["name", "description", "startTime", "endTime", "agent", "actionStatus"] },
  { of: is("CreateAction"), given: isFailed, has: ["error"] },
  { of: is("OrganizeAction"), has: ["name", "agent", "startTime", "endTime", "actionStatus"] },
  { of: is("ControlAction"), has: ["name"] },
  { of: is("PropertyValue"), has: ["name", "value"] },
  { of: is("ContainerImage"), has: ["additionalType", "registry", "name", "tag", "sha256"] },
];

/** A reference counts if it leads to a described entity or to an address. */
function isThere(value: unknown, byId: ReadonlyMap<string, Entity>): boolean {
  const all = value === undefined ? [] : [value].flat();
  return all.length > 0 && all.every((one) => one !== "" && (!isReference(one) || leads(one["@id"], byId)));
}

function isReference(value: unknown): value is { readonly "@id": unknown } {
  return typeof value === "object" && value !== null && "@id" in value;
}

function leads(id: unknown, byId: ReadonlyMap<string, Entity>): boolean {
  return byId.has(String(id)) || /^[a-z][a-z0-9+.-]*:/i.test(String(id));
}
