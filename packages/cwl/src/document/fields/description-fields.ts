import { optional, required } from "./read-fields.ts";
import { text, textOrLines } from "./scalar-readers.ts";

export const ID = required(text, "The name by which other parts of documents refer to this object.");

/** Descriptions of an object for people. */
export const DESCRIPTION = {
  label: optional(text, "A short name for people."),
  doc: optional(textOrLines, "A description for people."),
};
