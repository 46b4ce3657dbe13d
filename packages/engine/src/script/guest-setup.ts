/** The maximum size of a result as JSON text. */
export const MAX_RESULT_MIB = 8;
/** Depth of arrays and objects in a result. */
export const MAX_RESULT_NESTING = 256;
/** Longer descriptions of thrown values are truncated. */
const MAX_WORDS_CHARS = 2000;

/**
 * Runs inside the interpreter before any script of a document, and keeps the built-in functions that it needs in its
 * own variables: scripts may replace `JSON.stringify` or `Array.prototype.map` without affecting it.
 *
 * `define(name, json)` creates a global variable. `serialize(value)` returns a result as JSON text, an empty one if it
 * would be too long to leave the interpreter, and throws a message if there is no result. `describe(thrown)` describes
 * whatever was thrown, and never trusts it.
 */
export const GUEST_SETUP = `(function (parse, stringify, Text, global) {
  "use strict";
  var slice = Function.prototype.call.bind(Text.prototype.slice);
  function noJson(what, hint) {
    throw "the result is " + what + ", which is not a JSON value" + hint;
  }
  function describe(thrown) {
    if (typeof thrown === "string") return thrown;
    if (typeof thrown !== "object" || thrown === null) return "thrown: " + Text(thrown);
    var name = thrown.name, message = thrown.message;
    if (typeof message === "string") return (typeof name === "string" ? name : "Error") + ": " + message;
    return "thrown: " + stringify(thrown);
  }
  // Real documents contain debug output for their author; nobody reads it here.
  var silent = function () {};
  global.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent, trace: silent };
  return {
    define: function (name, json) { global[name] = parse(json); },
    serialize: function (value) {
      var kind = typeof value;
      if (kind === "undefined") noJson("undefined", ": return null where there is nothing");
      if (kind === "function") noJson("a function", ": call it");
      if (kind === "symbol") noJson("a symbol", "");
      if (kind === "bigint") noJson("a BigInt", ": take Number(…) of it");
      if (kind === "object" && value !== null && typeof value.then === "function")
        noJson("a promise", ": expressions cannot wait for anything");
      var text = stringify(value);
      if (text === undefined) noJson("undefined", "");
      return text.length > ${MAX_RESULT_MIB << 20} ? "" : text;
    },
    describe: function (thrown) {
      try { return slice(describe(thrown), 0, ${MAX_WORDS_CHARS}); } catch (error) { return "something was thrown that has no text"; }
    }
  };
})(JSON.parse, JSON.stringify, String, globalThis)`;
