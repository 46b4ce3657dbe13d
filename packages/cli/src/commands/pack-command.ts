import { packDocument } from "@weft/cwl/document/pack-document.ts";
import { jsonText } from "../output/result-text.ts";
import { printing } from "./load-cwl.ts";
import { selectPart } from "./select-part.ts";

/** Prints a document and everything that it refers to as one JSON document, optionally only the part for some targets. */
export const packCommand = printing((loaded, settings) =>
  jsonText(packDocument({ ...loaded, process: selectPart(loaded.process, settings) })),
);
