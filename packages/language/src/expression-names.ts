import { entryOf } from "@weft/cwl/document/yaml/yaml-node.ts";
import { nodeAtPath } from "@weft/cwl/document/yaml/node-at-path.ts";
import { visitExpressions } from "@weft/cwl/expression/static/check-expressions.ts";
import type { ExpressionSite } from "@weft/cwl/expression/static/expression-site.ts";
import { lookUp, membersOf, type Segment, type StaticNames } from "@weft/cwl/expression/static/static-value.ts";
import { findScriptEnd } from "@weft/cwl/expression/scan-script.ts";
import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import { analyze, type Analysis, type AnalysisOptions } from "./analysis.ts";
import type { CompletionItem } from "./completion.ts";

/** The names that can be used at an offset within an expression; undefined outside of expressions. */
export async function expressionNames(
  uri: string,
  text: string,
  offset: number,
  options: AnalysisOptions,
): Promise<readonly CompletionItem[] | undefined> {
  const code = openExpression(text, offset);
  if (code === undefined) return undefined;
  const chain = CHAIN.exec(code)?.[0];
  if (chain === undefined) return [];
  const names = siteAt(await analyze(uri, options), offset)?.names;
  return names === undefined ? [] : itemsOf(chain, names);
}

/** The maximum number of characters before the cursor that belong to an expression. */
const MAX_CODE = 20_000;

/** The code of the expression around an offset, up to the offset. */
function openExpression(text: string, offset: number): string | undefined {
  const before = text.slice(Math.max(0, offset - MAX_CODE), offset);
  const start = Math.max(before.lastIndexOf("$("), before.lastIndexOf("${"));
  if (start === -1 || before.charAt(start - 1) === "\\") return undefined;
  const closing = before.charAt(start + 1) === "(" ? ")" : "}";
  return findScriptEnd(before, start + 2, closing) === undefined ? before.slice(start + 2) : undefined;
}

const CHAIN = /(?:[A-Za-z_]\w*(?:\[\d+\]|\['[^']*'\]|\["[^"]*"\])*\.)*\w*$/;

/** The string with expressions that contains an offset. */
export function siteAt(analysis: Analysis, offset: number): ExpressionSite | undefined {
  let found: ExpressionSite | undefined;
  for (const process of analysis.processes)
    visitExpressions(process, {
      onSite: (site) => {
        if (found === undefined && isAt(site, analysis, offset)) found = site;
      },
    });
  return found;
}

function isAt({ part, path }: ExpressionSite, { nodeOf, uri }: Analysis, offset: number): boolean {
  const node = nodeOf(part);
  const scalar = node === undefined ? undefined : nodeAtPath(node, path);
  if (scalar?.kind !== "scalar" || scalar.source.uri !== uri) return false;
  const isShorthand = node?.kind === "mapping" && entryOf(node, "id")?.value === scalar;
  return !isShorthand && scalar.offset <= offset && offset <= scalar.end;
}

function itemsOf(chain: string, names: StaticNames): readonly CompletionItem[] {
  const [root, ...middle] = segmentsOf(chain);
  if (root === undefined || !chain.includes("."))
    return Object.entries(names).map(([name, { type }]) => nameItem(name, type));
  if (root !== "inputs" && root !== "self" && root !== "runtime") return [];
  const owner = lookUp(names[root], root, middle);
  if ("message" in owner) return [];
  return membersOf(owner.type).map(([name, type]) => nameItem(name, type));
}

function nameItem(name: string, type: CwlType): CompletionItem {
  return { label: name, kind: "name", detail: typeText(type), insertText: name };
}

/** The complete parts of `inputs.reads[0].ba`: `inputs`, `reads`, 0. */
export function segmentsOf(chain: string): readonly Segment[] {
  const complete = chain.slice(0, chain.lastIndexOf(".") + 1);
  return [...complete.matchAll(/\['([^']*)'\]|\["([^"]*)"\]|\[(\d+)\]|([A-Za-z_]\w*)/g)].map(
    ([, single, double, index, name]) => (index === undefined ? (name ?? single ?? double ?? "") : Number(index)),
  );
}
