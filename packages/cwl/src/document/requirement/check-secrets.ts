import type { Diagnostic } from "../../diagnostic.ts";
import type { CwlType } from "../../model/cwl-type.ts";
import type { Process } from "../../model/process.ts";
import { secretsOf } from "../../model/secret-inputs.ts";
import type { Scope } from "../fields/scope.ts";
import { suggestionHint } from "../../suggest.ts";

/** Reports what `cwltool:Secrets` names that is no input, or that can hold no text. */
export function checkSecrets(process: Process, { diagnostics }: Pick<Scope, "diagnostics">): void {
  const declared = secretsOf(process);
  for (const id of declared?.secrets ?? []) {
    const finding = findingOf(id, process);
    if (declared !== undefined && finding !== undefined)
      diagnostics.push({ severity: "error", code: "wrong-secret", ...finding, ...declared.position });
  }
}

function findingOf(id: string, { inputs }: Process): Pick<Diagnostic, "message" | "hint"> | undefined {
  const input = inputs.find((candidate) => candidate.id === id);
  const place = "requirements.cwltool:Secrets";
  if (input === undefined) {
    const known = inputs.map((candidate) => candidate.id);
    const hint = suggestionHint(id, known);
    return { message: `${place}: there is no input \`${id}\``, ...(hint === undefined ? {} : { hint }) };
  }
  if (holdsText(input.type)) return undefined;
  const hint = "a secret is a string, or an array or record with strings; give the content of a file as a string";
  return { message: `${place}: the input \`${id}\` holds no text that could be kept secret`, hint };
}

function holdsText(type: CwlType): boolean {
  switch (type.kind) {
    case "string":
    case "Any":
      return true;
    case "array":
      return holdsText(type.items);
    case "record":
      return type.fields.some((field) => holdsText(field.type));
    case "union":
      return type.options.some(holdsText);
    default:
      return false;
  }
}
