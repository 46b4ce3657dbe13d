import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { canonicalText } from "../../values/canonical-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A packed document with numbers instead of the names of its processes, so that equal content has the same text. */
export function plainPacked(packed: string): string {
  const document = fieldsOf(parseExactJson(packed)); // `packDocument` has made it
  const graph = Array.isArray(document["$graph"]) ? document["$graph"].map(fieldsOf) : undefined;
  if (graph === undefined) return canonicalText({ ...document, id: undefined });
  const names = new Map(graph.map(({ id }, index) => [`#${String(id)}`, `#${index}`]));
  const members = graph.map((member) => withNumbers({ ...member, id: undefined }, names));
  return canonicalText({ ...document, $graph: members });
}

/** Only steps refer to other processes. */
function withNumbers(process: Fields, names: ReadonlyMap<string, string>): Fields {
  const { steps } = process;
  if (!Array.isArray(steps)) return process;
  const numbered = steps.map(fieldsOf).map((step) => {
    const { run } = step;
    return { ...step, run: typeof run === "string" ? (names.get(run) ?? run) : withNumbers(fieldsOf(run), names) };
  });
  return { ...process, steps: numbered };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
