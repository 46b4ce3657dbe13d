import { useSyncExternalStore } from "react";
import { useFormStore } from "./fields/form-context.ts";
import { namesStillFit } from "./model/named-samples.ts";

/** Says so where the names of samples are not used, because their lists changed in another view. */
export function SampleNamesNote() {
  const store = useFormStore();
  const values = useSyncExternalStore(store.subscribe, store.values);
  const samples = useSyncExternalStore(store.subscribe, store.samples);
  if (samples === undefined || namesStillFit(samples, values)) return null;
  return (
    <p role="status" className="card flex flex-wrap items-center gap-3 px-4 py-2.5">
      <span className="text-canceled">
        {Object.keys(samples.lists).join(", ")} changed since the samples were named, so the names are not used: samples
        are named by their files.
      </span>
      <button type="button" className="btn btn-small ml-auto" onClick={() => store.setSamples(undefined)}>
        Forget the names
      </button>
    </p>
  );
}
