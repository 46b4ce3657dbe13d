import { entryOf, textEntry, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import { identifierUri, resolveReference, shortName, withoutFragment } from "../../values/resolve-reference.ts";
import { processNodes, type GatheredDocuments } from "./gather-documents.ts";

/** The types that the SchemaDefRequirements of all gathered documents declare, by name. */
export class TypeDefinitions {
  readonly #byUri = new Map<string, MappingNode>();
  #expanded = 0;

  constructor(documents: GatheredDocuments) {
    for (const document of documents.values()) {
      if (document === "broken") continue;
      for (const process of processNodes(document.root)) this.#addFrom(process);
    }
  }

  /**
   * The definition that a name in `documentUri` refers to: `#Sample`, `types.yml#Sample`, `Sample`. Falls back to a
   * definition with the same short name in that document, because some documents prefix names with a process.
   */
  find(name: string, documentUri: string): MappingNode | undefined {
    const exact = this.#byUri.get(identifierUri(name, documentUri));
    if (exact !== undefined) return exact;
    const address = withoutFragment(
      name.includes("#") ? (resolveReference(name, documentUri) ?? documentUri) : documentUri,
    );
    const near = [...this.#byUri].filter(
      ([uri]) => withoutFragment(uri) === address && shortName(uri) === shortName(name),
    );
    return near.length === 1 ? near[0]?.[1] : undefined;
  }

  /** Counts a type that was read through its name, and returns the count: nested names can expand to any number of types. */
  countExpanded(): number {
    this.#expanded++;
    return this.#expanded;
  }

  /** Short names of all definitions, for hints. */
  names(): readonly string[] {
    return [...this.#byUri.keys()].map(shortName);
  }

  #addFrom(process: YamlNode): void {
    if (process.kind !== "mapping") return;
    for (const field of ["requirements", "hints"]) {
      for (const requirement of schemaDefinitions(entryOf(process, field)?.value)) this.#addTypes(requirement);
    }
  }

  #addTypes(requirement: MappingNode): void {
    const types = entryOf(requirement, "types")?.value;
    if (types?.kind !== "sequence") return;
    for (const type of types.items) {
      const name = textEntry(type, "name");
      if (type.kind === "mapping" && name !== undefined) this.#byUri.set(identifierUri(name, type.source.uri), type);
    }
  }
}

function schemaDefinitions(list: YamlNode | undefined): readonly MappingNode[] {
  if (list === undefined || list.kind === "scalar") return [];
  const nodes =
    list.kind === "sequence"
      ? list.items.filter((item) => textEntry(item, "class") === "SchemaDefRequirement")
      : list.entries.filter(({ key }) => key === "SchemaDefRequirement").map(({ value }) => value);
  return nodes.filter((node) => node.kind === "mapping");
}
