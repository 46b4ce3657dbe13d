import { integer } from "fast-check";

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/**
 * Any character but a lone surrogate, as the `unit` of `fc.string`. Its own unit "binary" builds a table of all characters,
 * which takes two seconds of CPU.
 */
export const anyCharacter = integer({ min: 0, max: 0x10ffff - SURROGATES }).map((code) =>
  String.fromCodePoint(code < FIRST_SURROGATE ? code : code + SURROGATES),
);
