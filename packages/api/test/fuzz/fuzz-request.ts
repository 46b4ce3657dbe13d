import { fuzzValue, mutate, NASTY_TEXTS, wordsOf, type ValueOptions } from "./fuzz-values.ts";
import type { Operation, Parameter } from "./openapi-contract.ts";

export interface FuzzedRequest {
  readonly method: string;
  /** As it goes over the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Operations that no request may call here: stopping the server would end the test. */
const NEVER = new Set(["shutDown"]);

const METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"] as const;

const ODD_TARGETS: readonly string[] = [
  ...wordsOf(`
    // /.. /%2e%2e/ /% /%zz /%00 /api/runs/ /API/RUNS /api/runs?page_token=WyJ4Il0&page_token=x /api/runs?%5B%5D=1&=
    /static/%2e%2e%2fpackage.json /swaggerui/../x /api/runs/;x=1 /ga4gh/wes/v1/ /ga4gh/trs/v2/tools/tools%3A.. *
    http://[::1
`),
  "/?" + "a".repeat(9000),
];

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ["accept", "text/html"],
  ["accept", "text/event-stream"],
  ["accept", "application/cwl+json"],
  ["accept", "image/png"],
  ["accept", ",;q=x"],
  ["accept-encoding", "gzip;q=0, br"],
  ["range", "bytes=5-2"],
  ["range", "bytes=0-0,3-4"],
  ["range", `bytes=-${"9".repeat(30)}`],
  ["if-none-match", "*"],
  ["if-none-match", 'W/"'],
  ["if-modified-since", "yesterday"],
  ["if-range", '"x"'],
  ["origin", "http://evil.example"],
  ["origin", "null"],
  ["referer", "not an address"],
  ["sec-fetch-site", "cross-site"],
  ["authorization", "Bearer x"],
  ["authorization", "Basic"],
  ["cookie", "weft_1=;;=;x"],
  ["content-encoding", "gzip"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", "multipart/form-data"],
  ["content-type", "multipart/form-data; boundary=x"],
  ["content-type", "text/plain"],
  ["idempotency-key", '""'],
  ["idempotency-key", "k".repeat(300)],
  ["last-event-id", "-1"],
  ["x-forwarded-for", "'"],
  ["x-forwarded-host", "evil.example"],
  ["x-http-method-override", "DELETE"],
  ["prefer", "wait=0"],
];

/** A request that follows the contract, apart from random deviations. */
export function fuzzRequest(options: ValueOptions): FuzzedRequest {
  const { random } = options;
  if (random.isBelow(0.05)) {
    const method = random.pick(METHODS);
    return { method, target: random.pick(ODD_TARGETS), headers: oddHeaders(options), body: undefined };
  }
  const { path, method, operation } = random.pick(operationsOf(options));
  const { body, type } = fuzzBody(operation, options);
  return {
    method: random.isBelow(0.05) ? random.pick(METHODS) : method,
    target: fuzzTarget(path, operation, options),
    headers: {
      ...(type === undefined ? {} : { "content-type": type }),
      ...declaredHeaders(operation, options),
      ...oddHeaders(options),
    },
    body,
  };
}

function operationsOf({ document }: ValueOptions) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !NEVER.has(operationId))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

function fuzzTarget(path: string, { parameters = [] }: Operation, options: ValueOptions): string {
  const { random } = options;
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    return encoded(textOf(parameter, options)) || "x";
  });
  const query = parameters
    .filter((parameter) => parameter.in === "query" && (parameter.required === true || random.isBelow(0.3)))
    .map((parameter) => `${parameter.name}=${encoded(textOf(parameter, options))}`);
  if (random.isBelow(0.05)) query.push(`${encoded(random.pick(NASTY_TEXTS))}=1`);
  return query.length === 0 ? filledPath : `${filledPath}?${query.join("&")}`;
}

function textOf(parameter: Parameter | undefined, options: ValueOptions): string {
  if (parameter === undefined) return "x";
  const value = fuzzValue(parameter.schema, parameter.name, options);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A lone surrogate has no encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function declaredHeaders({ parameters = [] }: Operation, options: ValueOptions): Record<string, string> {
  const declared = parameters.filter((parameter) => parameter.in === "header" && options.random.isBelow(0.3));
  return Object.fromEntries(declared.map((parameter) => [parameter.name, printable(textOf(parameter, options))]));
}

function oddHeaders({ random }: ValueOptions): Record<string, string> {
  return random.isBelow(0.3) ? Object.fromEntries([random.pick(ODD_HEADERS)]) : {};
}

/** Removes characters that an HTTP client library would not send. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "").trim();
}

function fuzzBody(operation: Operation, options: ValueOptions): { body: string | undefined; type: string | undefined } {
  const { random } = options;
  const contents = Object.entries(operation.requestBody?.content ?? {});
  if (contents.length === 0) return { body: random.isBelow(0.03) ? "{}" : undefined, type: undefined };
  const [type, { schema = {}, examples = {} }] = random.pick(contents);
  if (type === "application/octet-stream") return { body: random.pick(NASTY_TEXTS), type };
  const given = Object.values(examples).map(({ value }) => value);
  const value =
    given.length > 0 && random.isBelow(0.6)
      ? mutateSometimes(random.pick(given), options)
      : fuzzValue(schema, "", options);
  if (type === "multipart/form-data") return formOf(value, options);
  const text = JSON.stringify(value);
  return { body: random.isBelow(0.1) ? text.slice(0, random.below(text.length + 1)) : text, type };
}

function mutateSometimes(value: unknown, { random }: ValueOptions): unknown {
  return random.isBelow(0.6) ? mutate(value, random) : value;
}

function formOf(value: unknown, { random }: ValueOptions): { body: string; type: string } {
  const boundary = "fuzz";
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [["file", value] as const];
  const parts = fields.map(([name, item]) => {
    const fileName = random.isBelow(0.3)
      ? `; filename="${printable(random.pick(NASTY_TEXTS)).replaceAll('"', "")}"`
      : "";
    const text = typeof item === "string" ? item : JSON.stringify(item);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${printable(name).replaceAll('"', "")}"${fileName}\r\n\r\n${text}\r\n`;
  });
  const end = random.isBelow(0.9) ? `--${boundary}--\r\n` : "";
  return { body: parts.join("") + end, type: `multipart/form-data; boundary=${boundary}` };
}
