import type { Diagnostic } from "../../diagnostic.ts";
import type { DocumentReader, LoadedSource } from "../document-reader.ts";
import { NotUtf8, UTF8_HINT } from "../../values/decode-utf8.ts";
import { withoutFragment } from "../../values/resolve-reference.ts";
import type { ParsedYaml } from "../yaml/parsed-yaml.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { SourceText } from "../yaml/source-text.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";

/** Parsed texts by URI, kept between loads. */
export type ParsedTexts = Map<string, { readonly source: SourceText; readonly parsed: ParsedYaml }>;

/** Reads each document once and remembers the order: the digest and the watcher of a document need the list. */
export class DocumentStore {
  readonly diagnostics: Diagnostic[] = [];
  readonly #reader: DocumentReader;
  readonly #texts = new Map<string, SourceText | undefined>();
  readonly #refused = new Set<string>();
  readonly #trees = new Map<string, YamlNode | undefined>();

  readonly #parsed: ParsedTexts | undefined;

  constructor(reader: DocumentReader, parsed?: ParsedTexts) {
    this.#reader = reader;
    this.#parsed = parsed;
  }

  /** All texts that were readable, in the order of reading. */
  get sources(): readonly LoadedSource[] {
    const readable = [...this.#texts.values()].filter((source) => source !== undefined);
    return readable.map(({ uri, text }) => ({ uri, text }));
  }

  /** The text at a URI, whose fragment is ignored; undefined if the text cannot be read. */
  async readText(uri: string): Promise<SourceText | undefined> {
    const address = withoutFragment(uri);
    if (this.#texts.has(address)) return this.#texts.get(address);
    const text = await this.#read(address);
    const known = this.#parsed?.get(address)?.source;
    const source = text === undefined ? undefined : known?.text === text ? known : new SourceText(address, text);
    this.#texts.set(address, source);
    return source;
  }

  async #read(address: string): Promise<string | undefined> {
    try {
      return await this.#reader.read(address);
    } catch (error) {
      if (!(error instanceof NotUtf8)) throw error;
      const { line, column, message } = error;
      const place = { file: address, line, column };
      this.diagnostics.push({
        severity: "error",
        code: "not-utf8",
        message: `the file is ${message}`,
        hint: UTF8_HINT,
        ...place,
      });
      this.#refused.add(address);
      return undefined;
    }
  }

  /** The tree of a YAML or JSON document before its imports are followed; undefined if it is unreadable or not YAML. */
  async readTree(uri: string): Promise<YamlNode | undefined> {
    const address = withoutFragment(uri);
    if (this.#trees.has(address)) return this.#trees.get(address);
    const source = await this.readText(address);
    const parsed = source === undefined ? undefined : this.#parse(source);
    if (parsed !== undefined) this.diagnostics.push(...parsed.diagnostics);
    this.#trees.set(address, parsed?.root);
    return parsed?.root;
  }

  #parse(source: SourceText): ParsedYaml {
    const known = this.#parsed?.get(source.uri);
    if (known?.source === source) return known.parsed;
    const parsed = parseYaml(source);
    this.#parsed?.set(source.uri, { source, parsed });
    return parsed;
  }

  /** True if `readText` found a file at the URI, even if it is not valid UTF-8. */
  isReadable(uri: string): boolean {
    const address = withoutFragment(uri);
    return this.#texts.get(address) !== undefined || this.#refused.has(address);
  }
}
