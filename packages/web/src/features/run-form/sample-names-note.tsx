import { useSyncExternalStore } from "react";
import { valueText } from "../../format/value-text.ts";
import { useFormStore } from "./fields/form-context.ts";
import { namesStillFit } from "./model/named-samples.ts";

/** Says which names the samples of the run will have, where a sheet gave some. */
export function SampleNamesNote() {
  const store = useFormStore();
  const values = useSyncExternalStore(store.subscribe, store.values);
  const samples = useSyncExternalStore(store.subscribe, store.samples);
  if (samples === undefined) return null;
  const lists = Object.keys(samples.lists).join(", ");
  return (
    <p role="status" className="card flex flex-wrap items-center gap-3 px-4 py-2.5">
      {namesStillFit(samples, values) ? (
        <span>
          {samples.names.length} samples of the sheet fill {lists}: {valueText(samples.names, 4)}.
        </span>
      ) : (
        <span className="text-canceled">
          {lists} changed since the sheet was read, so its sample names are not used: samples are named by their files.
        </span>
      )}
      <button type="button" className="btn btn-small ml-auto" onClick={() => store.setSamples(undefined)}>
        Forget the names
      </button>
    </p>
  );
}
