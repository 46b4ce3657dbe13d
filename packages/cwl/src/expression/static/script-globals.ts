/** The globals of the script engine that runs expressions; a test compares the two. */
export const SCRIPT_GLOBALS: ReadonlySet<string> = new Set(
  `Error EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError AggregateError Array Object
  Function Iterator parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  unescape Infinity NaN undefined eval Number Boolean String Math Reflect Symbol globalThis BigInt Date RegExp JSON Proxy
  Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array Uint16Array
  Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array DataView Promise WeakRef
  FinalizationRegistry console`.split(/\s+/),
);
