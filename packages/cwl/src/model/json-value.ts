/** Any JSON value. A `bigint` is a whole number that a number cannot represent exactly. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

export type JsonObject = { readonly [key: string]: JsonValue };
