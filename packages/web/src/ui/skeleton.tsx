/** A loading placeholder. Appears after a delay, so that fast responses do not flicker. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="card late-appearance space-y-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="pulse h-5 rounded bg-sunken" />
      ))}
    </div>
  );
}
