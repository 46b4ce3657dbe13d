import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { useState } from "react";
import { valueText } from "../../format/value-text.ts";
import { CwlField } from "./fields/cwl-field.tsx";
import { SecretProvider, useFormStore } from "./fields/form-context.ts";
import { formatName, namedFormats } from "./model/file-format.ts";
import { isAdvanced, type RunTarget } from "./run-target.ts";
import { scatteredInputs } from "./sample-grid/scattered-inputs.ts";
import { onDemand } from "../../ui/on-demand.tsx";

const SampleGrid = onDemand(() => import("./sample-grid/sample-grid.tsx"), <div className="min-h-80" />);

interface InputFieldsProps {
  readonly target: Pick<RunTarget, "inputs" | "steps">;
  /** The page that finds samples in datasets. */
  readonly datasets?: string | undefined;
}

/** The samples as a grid, if the network scatters, and below it one field per other input. */
export function InputFields({ target: { inputs, steps }, datasets }: InputFieldsProps) {
  const store = useFormStore();
  const [scattered] = useState(() => scatteredInputs(steps, inputs, store.values()));
  if (scattered.length === 0) return <SingleFields inputs={inputs} />;
  const single = inputs.filter((input) => !scattered.includes(input));
  return (
    <div className="space-y-6">
      <SampleGrid inputs={scattered} datasets={datasets} />
      {single.length > 0 && (
        <div>
          <h2 className="mb-2">For all samples</h2>
          <SingleFields inputs={single} className="grid items-start gap-x-8 gap-y-5 md:grid-cols-2 xl:grid-cols-3" />
        </div>
      )}
    </div>
  );
}

interface SingleFieldsProps {
  readonly inputs: readonly InputRecord[];
  readonly className?: string;
}

/** The fields in document order; program files come last, collapsed. */
function SingleFields({ inputs, className = "space-y-5" }: SingleFieldsProps) {
  const ordinary = inputs.filter((input) => !isAdvanced(input));
  const advanced = inputs.filter(isAdvanced);
  return (
    <>
      {ordinary.length === 0 && (
        <p className="text-soft">{inputs.length === 0 ? "This process has no inputs." : "No inputs required."}</p>
      )}
      <div className={className}>
        {ordinary.map((input) => (
          <InputField key={input.id} input={input} />
        ))}
      </div>
      {advanced.length > 0 && (
        <details className="mt-5 border-t border-line pt-3">
          <summary className="cursor-pointer font-medium text-soft">
            Advanced: {advanced.map(({ id }) => id).join(", ")}
          </summary>
          <div className="mt-3 space-y-5">
            {advanced.map((input) => (
              <InputField key={input.id} input={input} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function InputField({ input }: { readonly input: InputRecord }) {
  const field = (
    <CwlField
      path={[input.id]}
      type={input.type}
      label={input.label ?? input.id}
      typeText={input.label === undefined ? input.type_text : `${input.id}: ${input.type_text}`}
      doc={input.doc}
      hint={fileHint(input)}
      formats={namedFormats(input.format)}
      required={input.required}
      defaultText={input.default === undefined || input.default === null ? undefined : valueText(input.default)}
    />
  );
  if (input.secret !== true) return field;
  return (
    <SecretProvider value>
      <div>
        {field}
        <p className="mt-1 text-small text-soft">Secret – never stored or shown.</p>
      </div>
    </SecretProvider>
  );
}

/** Expected file format and secondary files; undefined if the document declares none. */
function fileHint({ format, secondary_files = [] }: InputRecord): string | undefined {
  const formats = namedFormats(format);
  const beside = secondary_files.map(({ pattern, required }) => (required ? pattern : `${pattern} (if present)`));
  const parts = [
    ...(formats.length === 0 ? [] : [`Format: ${formats.map(formatName).join(" or ")}.`]),
    ...(beside.length === 0 ? [] : [`Also needs: ${beside.join(", ")}.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(" ");
}
