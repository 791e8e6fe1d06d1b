/** A thin bar next to the same number as text, so screen readers skip it. `share` is 0 to 1. */
export function Bar({ share }: { share: number }) {
  return (
    <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-wash forced-colors:border">
      <div
        className="h-full rounded-full bg-brand transition-[width] forced-colors:bg-[Highlight]"
        style={{ width: `${Math.min(Math.max(share, 0), 1) * 100}%` }}
      />
    </div>
  );
}

/** A progress bar, from 0 to 1, such as for an upload. */
export function Progress({ label, share }: { label: string; share: number }) {
  return (
    <progress
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-brand"
      aria-label={label}
      max={100}
      value={Math.round(share * 100)}
    />
  );
}
