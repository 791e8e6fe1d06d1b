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
