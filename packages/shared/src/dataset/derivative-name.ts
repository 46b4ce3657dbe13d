import { DATA_TYPES, ENTITY_LABELS, SUFFIXES } from "./dataset-terms.ts";
import { readBidsName, type Fields } from "./read-bids-name.ts";

/**
 * A destination in a BIDS derivative dataset: `bids://ROOT/FOLDER/anat/desc-brain_mask.nii.gz`. The name contains only
 * the new parts; the other parts come from the source file of the sample.
 */
export interface DerivativeTemplate {
  /** The folder that the server may write to. */
  readonly root: string;
  /** Names of the folders from the root to the dataset; empty for the root itself. */
  readonly dataset: readonly string[];
  /** Default: that of the source. */
  readonly datatype?: string;
  /** Entities that the source does not have, or has with other values. */
  readonly entities: Fields;
  /** Default: that of the source. */
  readonly suffix?: string;
  /** Default: that of the output. */
  readonly extension?: string;
}

const SCHEME = "bids://";
const FOLDER = /^[a-zA-Z0-9][\w .+-]{0,99}$/;

export function isDerivative(text: string): boolean {
  return text.startsWith(SCHEME);
}

/** Parses a template; for an invalid one, returns the problem as the end of a sentence. */
export function parseDerivative(text: string): DerivativeTemplate | string {
  const [root = "", ...names] = text.slice(SCHEME.length).split("/");
  const name = names.pop();
  if (!isDerivative(text) || root === "" || name === undefined || name === "")
    return "is not of the form bids://ROOT/FOLDER/desc-brain_mask";
  const [last = ""] = names.slice(-1);
  const datatype = DATA_TYPES.has(last) ? last : undefined;
  const dataset = datatype === undefined ? names : names.slice(0, -1);
  const wrong = dataset.find((folder) => !FOLDER.test(folder) || /^(sub|ses)-/.test(folder));
  if (wrong !== undefined) return `has "${wrong}", which cannot be the folder of a dataset`;
  const read = parseName(name);
  return typeof read === "string" ? read : { root, dataset, ...(datatype === undefined ? {} : { datatype }), ...read };
}

/** `desc-brain_mask.nii.gz`, in which each part may be absent. */
function parseName(name: string): Pick<DerivativeTemplate, "entities" | "suffix" | "extension"> | string {
  const dot = name.indexOf(".");
  const stem = dot === -1 ? name : name.slice(0, dot);
  const parts = stem.split("_");
  const suffix = parts.at(-1)?.includes("-") === true ? undefined : parts.pop();
  if (suffix === "" && parts.length === 0) return "has neither entities nor a suffix in its name";
  const found = readBidsName(`${[...parts, suffix ?? "x"].join("_")}${dot === -1 ? ".x" : name.slice(dot)}`);
  if ("fault" in found) return `has a name that is not a BIDS name: ${found.fault}`;
  const { suffix: _suffix, extension, ...entities } = found.fields;
  const unknown = Object.keys(entities).find((key) => !Object.hasOwn(ENTITY_LABELS, key));
  if (unknown !== undefined) return `has "${unknown}", which is not a BIDS entity`;
  if ("sub" in entities || "ses" in entities) return "has a subject or session, which come from the sample";
  return {
    entities,
    ...(suffix === undefined ? {} : { suffix }),
    ...(dot === -1 || extension === undefined ? {} : { extension }),
  };
}

/**
 * The path of an output below the root, or the reason why it has none, as the end of a sentence. `source`: the fields
 * that the files of the sample have in common.
 */
export function derivativePath(
  template: DerivativeTemplate,
  source: Fields,
  basename: string,
): readonly string[] | string {
  const { suffix: sourceSuffix, extension: _extension, datatype: sourceType, ...kept } = source;
  const { datatype = sourceType, suffix = sourceSuffix } = template;
  const extension = template.extension ?? extensionOf(basename);
  if (suffix === undefined) return "needs a suffix, such as _mask: the files of the sample differ in theirs";
  if (datatype === undefined)
    return "needs a data type, such as anat/desc-brain_mask: the files of the sample differ in theirs";
  if (extension === "") return `needs an extension: "${basename}" has none`;
  if (kept["sub"] === undefined) return "has no subject: the files of the sample are those of several subjects";
  const entities = { ...kept, ...template.entities };
  const pairs = Object.entries(entities)
    .toSorted(([a], [b]) => orderOf(a) - orderOf(b))
    .map(([key, value]) => `${key}-${value}`);
  const { sub, ses } = entities;
  const folders = [`sub-${sub}`, ...(ses === undefined ? [] : [`ses-${ses}`]), datatype];
  return [...template.dataset, ...folders, `${pairs.join("_")}_${suffix}${extension}`];
}

const ENTITY_ORDER = Object.keys(ENTITY_LABELS);

/** Entities of other versions of BIDS come before the description. */
function orderOf(key: string): number {
  const at = ENTITY_ORDER.indexOf(key);
  return at === -1 ? ENTITY_ORDER.indexOf("desc") - 0.5 : at;
}

const EXTENSION =
  /(?:\.(?:nii|tsv|json)\.gz|\.(?:surf|shape|func|label)\.gii|\.[dp](?:tseries|scalar|label|conn)\.nii|\.ome\.\w+|\.[a-zA-Z0-9]+)$/;

/** `.nii.gz` of `brain.v2.nii.gz`; empty if there is none. */
export function extensionOf(basename: string): string {
  return EXTENSION.exec(basename)?.[0] ?? "";
}

const STANDARD_EXTENSION = /\.(nii|nii\.gz|json|tsv|tsv\.gz|gii|[dp](tseries|scalar|label|conn)\.nii|bval|bvec|h5)$/;

/** Whether BIDS knows names with this ending. Other names belong in `.bidsignore`. */
export function isStandardName({ suffix = "", extension = "" }: Fields): boolean {
  return SUFFIXES.has(suffix) && STANDARD_EXTENSION.test(extension);
}
