/** A thin bar beside a number that says the same, so screen readers skip it. `share` is 0 to 1. */
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
