import { z } from "zod";

/** The part of JSON Schema that is used here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
  /** False for an endless answer, such as a stream: the test does not wait for its body. */
  readonly isWhole: boolean;
}

/** Checks answers against the server's /swagger.json. */
export class OpenApiContract {
  readonly document: OpenApi;
  readonly #matchers: readonly { readonly pattern: RegExp; readonly operation: Operation }[];
  readonly #checks = new Map<Schema, z.ZodType>();
  readonly #definitions: unknown;

  constructor(document: OpenApi) {
    this.document = document;
    this.#definitions = withLocalReferences(document.components.schemas);
    this.#matchers = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ pattern: patternOf(method, path), operation })),
    );
  }

  /** Describes the fault of an answer; undefined if there is none. */
  faultOf(method: string, target: string, answer: ReceivedAnswer): string | undefined {
    if (answer.status >= 500) return `answered ${answer.status}: ${answer.text.slice(0, 200)}`;
    const operation = this.#operationAt(method, target);
    return operation === undefined ? undefined : this.#breach(operation, method, answer);
  }

  #operationAt(method: string, target: string): Operation | undefined {
    const [path = ""] = target.split("?", 1);
    const request = `${method === "HEAD" ? "GET" : method} ${path}`;
    return this.#matchers.find(({ pattern }) => pattern.test(request))?.operation;
  }

  #breach(
    operation: Operation,
    method: string,
    { status, mediaType, text, isWhole }: ReceivedAnswer,
  ): string | undefined {
    const declared = operation.responses[String(status)];
    if (declared === undefined) return `${operation.operationId} does not declare ${status}: ${text.slice(0, 200)}`;
    const types = declared.content ?? {};
    if (mediaType !== "" && status !== 304 && types[mediaType] === undefined && types["*/*"] === undefined)
      return `${operation.operationId} does not declare ${mediaType} for ${status}: ${text.slice(0, 200)}`;
    const schema = types[mediaType]?.schema;
    if (
      schema === undefined ||
      schema.format === "binary" ||
      !mediaType.includes("json") ||
      method === "HEAD" ||
      !isWhole
    )
      return undefined;
    const result = this.#checkOf(schema).safeParse(JSON.parse(text));
    if (result.success) return undefined;
    return `${operation.operationId} ${status} is not as declared: ${z.prettifyError(result.error)}`;
  }

  #checkOf(schema: Schema): z.ZodType {
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    // Every schema of the document uses the dialect that this function reads.
    const whole = { ...(withLocalReferences(schema) as object), $defs: this.#definitions } as Parameters<
      typeof z.fromJSONSchema
    >[0];
    const check = z.fromJSONSchema(whole);
    this.#checks.set(schema, check);
    return check;
  }
}

/** Turns references within the document into references within one schema. */
function withLocalReferences(schemas: unknown): unknown {
  const parsed: unknown = JSON.parse(JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/$defs/"));
  return parsed;
}

function patternOf(method: string, path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${method.toUpperCase()} ${escaped.replace("{path}", ".+").replace(/\{\w+\}/g, "[^/]+")}$`);
}
