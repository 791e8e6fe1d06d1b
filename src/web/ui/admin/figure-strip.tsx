/** A few figures that summarise a list. `text` is undefined while loading. */
export function FigureStrip({
  label,
  figures,
}: {
  label: string;
  figures: readonly Readonly<{ name: string; text: string | undefined }>[];
}) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-2 rounded-card border border-line bg-card sm:grid-cols-4 sm:divide-x sm:divide-line print:hidden"
    >
      {figures.map(({ name, text }) => (
        <div key={name} className="flex min-w-0 flex-col-reverse px-4 py-3 sm:px-5 sm:py-4">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="figures min-h-8 text-2xl font-semibold wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
