import { useQuery } from "@tanstack/react-query";
import type { OutputRecord } from "@weft/shared/records/process-record.ts";
import { type ReactNode, useId } from "react";
import { Link } from "react-router-dom";
import { serverQuery } from "../../api/session-query.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, Input } from "../../ui/field.tsx";
import type { InputValues } from "./model/form-store.ts";
import {
  type Places,
  firstSources,
  outputsWithFiles,
  previewDerivative,
  suggestedDerivatives,
  suggestedPlaces,
} from "./model/output-places.ts";

interface SinkFieldsProps {
  /** ID of the network or tool. */
  readonly processId: string;
  readonly outputs: readonly OutputRecord[];
  readonly places: Places;
  /** Problems of the destinations, by output id. */
  readonly problems: Places;
  readonly onChange: (places: Places) => void;
  /** The inputs, of which destinations in a BIDS dataset take their names; undefined if they are not known yet. */
  readonly values: InputValues | undefined;
  /** More choices. */
  readonly children?: ReactNode;
}

/**
 * Output destinations; hidden if the server has none configured, unless an earlier run sets some.
 */
export function SinkFields(props: SinkFieldsProps) {
  const { outputs, places, problems, onChange, values, children } = props;
  const server = useQuery(serverQuery());
  const sources = values && firstSources(values);
  const roots = server.data?.sinks ?? [];
  const withFiles = outputsWithFiles(outputs);
  const count = Object.values(places).filter((place) => place.trim() !== "").length;
  const isWrong = Object.keys(problems).length > 0;
  if (withFiles.length === 0 || (roots.length === 0 && count === 0)) return null;
  return (
    <details className="card px-4 py-3" ref={isWrong ? openFold : undefined}>
      <summary className="cursor-pointer font-medium">
        Copy results to
        {count > 0 && <span className="ml-2 text-soft">{`${count} of ${withFiles.length} outputs`}</span>}
      </summary>
      {EXPLANATION}
      <FillButtons
        {...props}
        outputs={withFiles}
        roots={roots}
        canClear={count > 0}
        isBids={sources !== undefined && sources.length > 0}
      />
      <div className="mt-3 grid gap-3 lg:grid-cols-2">
        {withFiles.map((output) => (
          <PlaceField
            key={output.id}
            output={output}
            place={places[output.id] ?? ""}
            problem={problems[output.id]}
            preview={previewDerivative(places[output.id] ?? "", sources)}
            onChange={(place) => onChange({ ...places, [output.id]: place })}
          />
        ))}
      </div>
      {children}
    </details>
  );
}

const EXPLANATION = (
  <p className="mt-2 max-w-prose text-soft">
    Copies each output to a folder of your choice. Existing files are never replaced.{" "}
    <Link className="link" to="/doc/how-to/use-results#copy-outputs-to-a-folder-of-your-own">
      Path template help
    </Link>
  </p>
);

/** Opens a fold; unlike the attribute, this does not close it when its problems are gone. */
function openFold(fold: HTMLDetailsElement | null): void {
  if (fold !== null) fold.open = true;
}

interface FillButtonsProps extends Pick<SinkFieldsProps, "processId" | "outputs" | "places" | "onChange"> {
  readonly roots: readonly string[];
  readonly canClear: boolean;
  /** True if the inputs come from a BIDS dataset. */
  readonly isBids: boolean;
}

/** Buttons that fill or clear all destinations at once. */
function FillButtons({ processId: dataset, outputs, places, roots, canClear, isBids, onChange }: FillButtonsProps) {
  const asDerivatives = (root: string) => onChange(suggestedDerivatives(outputs, { root, dataset, places }));
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {roots.map((root) => (
        <Button key={root} small onClick={() => onChange(suggestedPlaces(outputs, root))}>
          All to {root}
        </Button>
      ))}
      {isBids &&
        roots.map((root) => (
          <Button key={root} small onClick={() => asDerivatives(root)}>
            BIDS derivatives in {root}
          </Button>
        ))}
      {canClear && (
        <Button look="quiet" small onClick={() => onChange({})}>
          Copy nothing
        </Button>
      )}
    </div>
  );
}

interface SidecarChoiceProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Whether to write a provenance file next to each copy. */
export function SidecarChoice({ checked, onChange }: SidecarChoiceProps) {
  return (
    <CheckField isLong className="mt-3 max-md:min-h-11" checked={checked} onCheck={onChange}>
      <span>
        Write a provenance file next to each copy
        <span className="block text-small text-soft">
          <span className="code">a.nii.prov.json</span> next to <span className="code">a.nii</span>, in W3C PROV-JSON
        </span>
      </span>
    </CheckField>
  );
}

interface PlaceFieldProps {
  readonly output: OutputRecord;
  readonly place: string;
  readonly problem: string | undefined;
  readonly preview: ReturnType<typeof previewDerivative>;
  readonly onChange: (place: string) => void;
}

function PlaceField({ output, place, problem: refused, preview, onChange }: PlaceFieldProps) {
  const problemId = useId();
  const exampleId = useId();
  const problem = refused ?? (preview !== undefined && "fault" in preview ? preview.fault : undefined);
  return (
    <div>
      <label>
        <span className="mb-1 block">
          <span className="font-semibold">{output.label ?? output.id}</span>{" "}
          <span className="code text-soft">
            {output.id}: {output.type_text}
          </span>
        </span>
        <Input
          className="code"
          value={place}
          placeholder="not copied"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? exampleId : problemId}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {problem !== undefined && (
        <p id={problemId} className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
      {preview !== undefined && "example" in preview && (
        <p id={exampleId} className="code mt-1 text-small wrap-anywhere text-soft">
          {preview.example}
        </p>
      )}
    </div>
  );
}
