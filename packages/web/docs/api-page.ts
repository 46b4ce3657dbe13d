// The operations and records of the API as Markdown, from the contract that checks the requests.
import { createOpenApiDocument } from "@weft/api/documentation/openapi/create-openapi-document.ts";

/** The parts of an OpenAPI document that the page shows. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Schema & {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Contract {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const REFERENCE = "#/components/schemas/";

let rendered: string | undefined;

/** Sections for all operations by tag, then for all records. */
export function apiSections(): string {
  rendered ??= render(createOpenApiDocument("http://127.0.0.1:8080", "") as unknown as Contract); // an OpenAPI document
  return rendered;
}

function render({ tags, paths, components }: Contract): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const parts = tags.flatMap(({ name, description }) => [
    `## Operations: ${name}\n\n${description}.`,
    ...operations.filter(({ operation }) => operation.tags[0] === name).map(operationText),
  ]);
  const records = Object.entries(components.schemas);
  return [...parts, "## Records", ...records.map(([name, schema]) => recordText(name, schema))].join("\n\n");
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function operationText({ method, path, operation }: Route): string {
  const { summary, description = "", parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(({ name, in: place, required, schema, description: meaning }) => [
    `\`${name}\`${required === true ? ", required" : ""}`,
    place,
    typeText(schema),
    meaning ?? schema.description ?? "",
  ]);
  const body = requestBody === undefined ? [] : [`Body: ${contentText(requestBody)}.`];
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, answer]) => `- ${status}: ${inline(answer.description)} (${contentText(answer)})`);
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    ...description.split("\n\n").filter(Boolean).map(inline),
    ...(rows.length === 0 ? [] : [table(["parameter", "in", "type", "meaning"], rows)]),
    ...body,
    answers.join("\n"),
  ].join("\n\n");
}

function contentText({ content = {} }: Content): string {
  const types = Object.entries(content).map(([mediaType, { schema }]) => {
    const shape = schema === undefined ? "" : typeText(schema);
    return mediaType === "application/json" && shape !== "" ? shape : `\`${mediaType}\``;
  });
  return types.length === 0 ? "no content" : types.join(" or ");
}

function recordText(name: string, schema: Schema): string {
  const { properties = {}, required = [], description } = schema;
  const rows = Object.entries(properties).map(([field, value]) => [
    `\`${field}\`${required.includes(field) ? "" : ", optional"}`,
    typeText(value),
    `${value.deprecated === true ? "Deprecated. " : ""}${value.description ?? ""}`,
  ]);
  const fields = rows.length === 0 ? `Type: ${typeText(schema)}.` : table(["field", "type", "meaning"], rows);
  return [`### Record ${name}`, ...(description === undefined ? [] : [inline(description)]), fields].join("\n\n");
}

function typeText(schema: Schema): string {
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, items, type } = schema;
  if ($ref?.startsWith(REFERENCE) === true) return referenceText($ref.slice(REFERENCE.length));
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  const several = anyOf ?? oneOf ?? allOf;
  if (several !== undefined) return several.map(typeText).join(" or ");
  if (type === "array") return `list of ${items === undefined ? "values" : typeText(items)}`;
  return typeof type === "string" ? type : (type ?? ["any"]).join(" or ");
}

function referenceText(name: string): string {
  return `[${name}](#record-${name.toLowerCase()})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => inline(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** On one line. */
function inline(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
