import { inputTemplate } from "../inputs/input-template.ts";
import { printing } from "./load-cwl.ts";

/** Prints an input object to fill in. */
export const initCommand = printing(({ process }, { io, positionals: [document = ""] }) =>
  inputTemplate(process, document, io.cwd),
);
