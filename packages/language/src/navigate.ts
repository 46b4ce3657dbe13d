import { resolveReference, withoutFragment } from "@weft/cwl/values/resolve-reference.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import type { Analysis } from "./analysis.ts";
import { occurrencesIn, type Occurrence } from "./occurrences.ts";
import { isWithin, offsetAt, type EditorPosition, type TextEdit, type TextRange } from "./text-range.ts";

/** The declaration of the input, output or step at a position, or the file that a reference there names. */
export function definitionAt(analysis: Analysis, position: EditorPosition): readonly TextRange[] {
  const occurrences = occurrencesIn(analysis);
  const found = occurrenceAt(analysis.uri, occurrences, position);
  if (found !== undefined) {
    const same = occurrences.filter(({ symbol }) => symbol === found.symbol);
    return same.filter(({ isDefinition }) => isDefinition).map(({ range }) => range);
  }
  const file = fileAt(analysis, position);
  const start = { line: 0, character: 0 };
  return file === undefined ? [] : [{ uri: file, start, end: start }];
}

/** All declarations and uses of the symbol at a position. `others` are analyses of documents that may use the symbol. */
export function referencesAt(
  analysis: Analysis,
  position: EditorPosition,
  others: readonly Analysis[],
): readonly Occurrence[] {
  const own = occurrencesIn(analysis);
  const found = occurrenceAt(analysis.uri, own, position);
  if (found === undefined) return [];
  const all = [...own, ...others.flatMap(occurrencesIn)].filter(({ symbol }) => symbol === found.symbol);
  return [...new Map(all.map((occurrence) => [JSON.stringify(occurrence.range), occurrence])).values()];
}

/** The edits that rename a symbol, or the reason why it cannot be renamed. */
export type Renaming = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

/** Renames the input, output or step at a position everywhere. */
export function renameAt(
  analysis: Analysis,
  position: EditorPosition,
  newName: string,
  others: readonly Analysis[],
): Renaming {
  const references = referencesAt(analysis, position, others);
  const [first] = references;
  if (first === undefined) return { refusal: "Only inputs, outputs and steps can be renamed." };
  const pattern = first.kind === "input" ? /^[A-Za-z_]\w*$/ : /^[A-Za-z_][\w-]*$/;
  if (!pattern.test(newName)) return { refusal: `\`${newName}\` is not a name that expressions can use.` };
  if (!references.some(({ isDefinition }) => isDefinition)) return { refusal: `Nothing declares \`${first.name}\`.` };
  const taken = first.symbol.slice(0, -first.name.length) + newName;
  const isTaken = [analysis, ...others].some((other) => occurrencesIn(other).some(({ symbol }) => symbol === taken));
  if (isTaken) return { refusal: `The name \`${newName}\` is already in use.` };
  return { edits: references.map(({ range }) => ({ range, newText: newName })) };
}

/** The symbol at a position that can be renamed, with its range and name. */
export function renamableAt(analysis: Analysis, position: EditorPosition): Occurrence | undefined {
  return occurrenceAt(analysis.uri, occurrencesIn(analysis), position);
}

function occurrenceAt(
  uri: string,
  occurrences: readonly Occurrence[],
  position: EditorPosition,
): Occurrence | undefined {
  return occurrences.find(({ range }) => range.uri === uri && isWithin(range, position));
}

const REFERENCES = new Set(["run", "$import", "$include", "$mixin", "$schemas", "location"]);

/** The file that a reference at a position names. */
function fileAt({ root, text }: Analysis, position: EditorPosition): string | undefined {
  const offset = offsetAt(text, position);
  const reference = root === undefined ? undefined : referenceAt(root, offset, "");
  const uri = reference === undefined ? undefined : resolveReference(String(reference.value), reference.source.uri);
  return uri === undefined ? undefined : withoutFragment(uri);
}

function referenceAt(node: YamlNode, offset: number, key: string): (YamlNode & { kind: "scalar" }) | undefined {
  if (node.kind === "scalar")
    return REFERENCES.has(key) && node.offset <= offset && offset <= node.end && typeof node.value === "string"
      ? node
      : undefined;
  const children: readonly (readonly [string, YamlNode])[] =
    node.kind === "sequence"
      ? node.items.map((item) => [key, item])
      : node.entries.map((entry) => [entry.key, entry.value]);
  for (const [name, child] of children) {
    const found = referenceAt(child, offset, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
