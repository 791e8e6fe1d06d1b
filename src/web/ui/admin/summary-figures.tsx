/**
 * A few figures that summarize a list, one per line on phones. `text` is undefined while loading; `more` is a
 * breakdown.
 */
export function SummaryFigures({
  label,
  figures,
}: {
  label: string;
  figures: readonly Readonly<{ name: string; text: string | undefined; more?: string | undefined }>[];
}) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-2 items-start rounded-card border border-line bg-card py-2 sm:grid-cols-4 sm:items-stretch sm:py-0 sm:divide-x sm:divide-line print:hidden"
    >
      {figures.map(({ name, text, more }) => (
        <div
          key={name}
          className="flex min-w-0 flex-wrap items-center gap-x-1.5 px-3 py-0.5 sm:flex-col sm:items-stretch sm:px-5 sm:py-4"
        >
          <dt className="text-sm wrap-anywhere text-soft">{name}</dt>
          <dd className="figures order-first min-h-8 text-lg font-semibold wrap-anywhere sm:text-2xl">
            {text}
            {more !== undefined && (
              <span className="text-base font-normal text-soft">
                , <span className="inline-block">{more}</span>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
