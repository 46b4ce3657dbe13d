import { useQuery } from "@tanstack/react-query";
import { bidsSource, commonFields, type BidsSource } from "@weft/shared/dataset/bids-source.ts";
import { SUFFIXES } from "@weft/shared/dataset/dataset-terms.ts";
import { derivativePath, isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import { holdsFiles } from "@weft/shared/records/holds-files.ts";
import type { OutputRecord } from "@weft/shared/records/process-record.ts";
import { type ReactNode, useId } from "react";
import { serverQuery } from "../../api/session-query.ts";
import { isFileValue } from "../../format/value-text.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, Input } from "../../ui/field.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { InputValues } from "./model/form-store.ts";

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
    <TextLink to="/doc/how-to/use-results#copy-outputs-to-a-folder-of-your-own">Path template help</TextLink>
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
          code
          value={place}
          placeholder="not copied"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? exampleId : problemId}
          onType={onChange}
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

/** Maps output ids to destinations (`vfs://ROOT/path`, a template), or to problems with them. */
type Places = Readonly<Record<string, string>>;

/** Outputs that can contain files. */
export function outputsWithFiles(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  return outputs.filter(({ type }) => holdsFiles(type));
}

/** A destination for each output that no other run or output uses. */
export function suggestedPlaces(outputs: readonly OutputRecord[], root: string): Places {
  return Object.fromEntries(outputs.map(({ id }) => [id, `vfs://${root}/{run_id}/{output}/{basename}`]));
}

/** The files of a BIDS dataset that the first sample is made of; empty if the inputs have none. */
export function firstSources(values: InputValues): readonly BidsSource[] {
  return Object.values(values).flatMap((value) => {
    const [first] = [value].flat(2);
    return isFileValue(first) ? (bidsSource(first.location ?? "") ?? []) : [];
  });
}

/** A destination in one BIDS dataset for each output with a list of files; the others keep theirs. */
export function suggestedDerivatives(
  outputs: readonly OutputRecord[],
  { root, dataset, places }: { readonly root: string; readonly dataset: string; readonly places: Places },
): Places {
  const lists = outputs.filter(({ type }) => type.kind === "array");
  return { ...places, ...Object.fromEntries(lists.map(({ id }) => [id, `bids://${root}/${dataset}/${nameOf(id)}`])) };
}

/** `mask` for `masks`, because BIDS has that suffix; otherwise a description: `desc-thickMap` for `thick_map`. */
function nameOf(id: string): string {
  const suffix = [id, id.replace(/s$/, "")].find((name) => SUFFIXES.has(name));
  const label = id.replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
  return suffix ?? `desc-${label}`;
}

/**
 * The meaning of a destination for the first sample. Undefined for one that is not in a BIDS dataset, or without known
 * sources.
 */
export function previewDerivative(
  place: string,
  sources: readonly BidsSource[] | undefined,
): { readonly example: string } | { readonly fault: string } | undefined {
  if (!isDerivative(place)) return undefined;
  const template = parseDerivative(place.trim());
  if (typeof template === "string") return { fault: `This destination ${template}.` };
  if (sources === undefined) return undefined;
  if (sources.length === 0) return { fault: "The samples have no files of a BIDS dataset." };
  const path = derivativePath(template, commonFields(sources), "x.nii");
  if (typeof path === "string") return { fault: `This destination ${path}.` };
  const example = path.join("/");
  // The extension of an output is unknown until the output exists.
  return { example: template.extension === undefined ? example.replace(/\.nii$/, ".…") : example };
}
