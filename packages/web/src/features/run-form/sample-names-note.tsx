import { useSyncExternalStore } from "react";
import { useFormStore } from "./fields/form-context.ts";
import { namesStillFit } from "./model/named-samples.ts";

/** Tells the user when sample names no longer apply because their lists changed in another view. */
export function SampleNamesNote() {
  const store = useFormStore();
  const values = useSyncExternalStore(store.subscribe, store.values);
  const samples = useSyncExternalStore(store.subscribe, store.samples);
  if (samples === undefined || namesStillFit(samples, values)) return null;
  return (
    <p role="status" className="card flex flex-wrap items-center gap-3 px-4 py-2.5">
      <span className="text-canceled">
        {Object.keys(samples.lists).join(", ")} changed after you named the samples. Samples are now named after their
        files.
      </span>
      <button type="button" className="btn btn-small ml-auto" onClick={() => store.setSamples(undefined)}>
        Remove sample names
      </button>
    </p>
  );
}
