import { createContext, type ReactNode, use, useId, useState } from 'react';
import { formatHours } from '#shared/hours.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import type { FocusTarget } from '#web/ui/focus-target.ts';
import { usePrinting } from '#web/ui/use-media.ts';

/** Whether all figures are of verified hours only, which every section then states. */
export const VerifiedOnlyContext = createContext(false);

/** Something with hours: an activity, a school, a category, a day of the week, a volunteer. */
export type Figure = Readonly<{
  key: string | number;
  name: string;
  /** Shown before the name, such as a category's dot. */
  mark?: ReactNode;
  /** The name of the figure's school, if figures of several schools in the list may have the same name. */
  schoolName?: string | undefined;
  /** Extra text next to the name in a table. */
  aside?: string;
  totalHours: number;
  /** Null at a school that does not verify. */
  verifiedHours: number | null;
  totalEntries: number;
  uniqueUsers?: number;
  /** Opens the entries behind the numbers. */
  open?: Readonly<{ label: string; onPress: () => void }> | undefined;
  /** One link per list of entries, if the numbers come from several lists. */
  parts?: readonly FigureLink[] | undefined;
}>;

/** A part of a figure's hours, with a link to its entries. */
export type FigureLink = Readonly<{
  key: string | number;
  text: string;
  label: string;
  onPress: () => void;
}>;

type FigurePartProps = {
  title: string;
  hint?: string;
  /** Shown above the bars, such as a search field. */
  controls?: ReactNode;
  /** The heading of the table's first column, and of the `aside` column. */
  nameTitle: string;
  asideTitle?: string;
  figures: readonly Figure[];
  /** The hours that fill a bar's whole width; by default the highest value. */
  fullHours?: number;
  /** Shown below the bars. */
  foot?: ReactNode;
  /** Whether the section shares its row with another, so that each figure stacks its lines. */
  isNarrow?: boolean;
  /** The focus target of each figure, by its key. */
  focusTargetOf?: (key: Figure['key']) => FocusTarget;
};

/** Labeled bars, or the same numbers as a table. Printing shows both. */
export function FigureSection(props: FigurePartProps) {
  const { title, hint, controls, figures, foot, isNarrow = false, focusTargetOf } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const isPrinting = usePrinting();
  const isOnly = use(VerifiedOnlyContext);
  const hasVerified = !isOnly && figures.some((figure) => figure.verifiedHours !== null);
  const fullHours = props.fullHours ?? Math.max(...figures.map((figure) => figure.totalHours));
  return (
    <SectionFrame
      id={id}
      title={title}
      hint={hint}
      toggle={
        <Button kind="plain" isPressed={isTable} onPress={() => setIsTable(!isTable)}>
          {t('analytics:showAsTable')}
        </Button>
      }
    >
      {controls}
      {(!isTable || isPrinting) && (
        <ol aria-labelledby={id} className="flex flex-col gap-3 sm:gap-2">
          {figures.map((figure) => (
            <FigureBar
              key={figure.key}
              figure={figure}
              fullHours={fullHours}
              isNarrow={isNarrow}
              hasVerified={hasVerified}
              focusTarget={focusTargetOf?.(figure.key)}
            />
          ))}
        </ol>
      )}
      {(isTable || isPrinting) && <FigureTable label={title} {...props} />}
      {foot}
    </SectionFrame>
  );
}

type PartFrameProps = {
  id: string;
  title: string;
  hint?: string | undefined;
  toggle?: ReactNode;
  children?: ReactNode;
};

/** A section of the page with its heading. */
export function SectionFrame({ id, title, hint, toggle, children }: PartFrameProps) {
  const { t } = useTranslation();
  const isOnly = use(VerifiedOnlyContext);
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-card border border-line bg-card p-4 sm:p-6 print:break-inside-avoid-page print:border-0 print:p-0 print:pt-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h2 id={id} className="text-xl font-semibold">
            {title}
          </h2>
          {isOnly && <p className="text-dense font-medium text-brand">{t('analytics:verifiedOnly')}</p>}
          {hint !== undefined && <p className="max-w-160 text-soft">{hint}</p>}
        </div>
        <span className="-mx-3 -my-2 print:hidden">{toggle}</span>
      </div>
      {children}
    </section>
  );
}

type FigureBarProps = {
  figure: Figure;
  fullHours: number;
  isNarrow: boolean;
  /** Whether any bar of the list has verified hours. Then all bars have both columns, and their shades mean the same. */
  hasVerified: boolean;
  focusTarget: FocusTarget | undefined;
};

function FigureBar({ figure, fullHours, isNarrow, hasVerified, focusTarget }: FigureBarProps) {
  const { t, language } = useTranslation();
  const { name, schoolName, mark, totalHours, totalEntries, uniqueUsers, open, parts } = figure;
  const verified = hasVerified ? figure.verifiedHours : null;
  const share = (hours: number) => (fullHours > 0 ? hours / fullHours : 0);
  const wide = (classes: string) => (isNarrow ? '' : classes);
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 ${wide(hasVerified ? 'lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_6.5rem_22rem]' : 'lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)_6.5rem_13rem]')}`}
    >
      <span className="flex min-w-0 items-center gap-2.5">
        {mark}
        {open === undefined ? (
          <span className="min-w-0 py-2.5 font-medium wrap-anywhere">{name}</span>
        ) : (
          <span className="-ml-1 min-w-0" data-printed>
            <LinkButton
              {...(focusTarget && { ref: focusTarget.ref })}
              label={open.label}
              onPress={open.onPress}
            >
              <span className="flex min-w-0 flex-col items-start wrap-anywhere">
                {name}{' '}
                {schoolName !== undefined && (
                  <span className="text-sm leading-5 font-normal text-soft">{schoolName}</span>
                )}
              </span>
            </LinkButton>
          </span>
        )}
      </span>
      <span className={`figures text-right font-semibold whitespace-nowrap ${wide('lg:order-2')}`}>
        {t('time-entries:shortHours', { hours: formatHours(totalHours, language) })}
      </span>
      <span aria-hidden="true" className={`col-span-2 ${wide('lg:order-1 lg:col-span-1')}`}>
        <Strip share={share(totalHours)} solid={hasVerified ? share(verified ?? 0) : undefined} />
      </span>
      <span className={`figures col-span-2 text-sm text-soft ${wide('lg:order-3 lg:col-span-1')}`}>
        {verified !== null &&
          `${t('analytics:hoursVerified', { hours: formatHours(verified, language) })} · `}
        {t('analytics:countedEntries', { count: totalEntries })}
        {uniqueUsers !== undefined && ` · ${t('analytics:countedPeople', { count: uniqueUsers })}`}
      </span>
      {parts !== undefined && (
        <span className={`-mt-1 col-span-2 ${wide('lg:order-4 lg:col-span-4')}`}>
          <FigureLinks parts={parts} />
        </span>
      )}
    </li>
  );
}

/** The links to a figure's parts, in a row. */
export function FigureLinks({ parts }: { parts: readonly FigureLink[] }) {
  return (
    <span className="-ml-1 flex flex-wrap gap-x-4 print:hidden">
      {parts.map(({ key, text, label, onPress }) => (
        <LinkButton key={key} label={label} onPress={onPress}>
          <span className="figures text-sm wrap-anywhere">{text}</span>
        </LinkButton>
      ))}
    </span>
  );
}

// An SVG shape rather than a background color, because browsers do not print backgrounds. `solid` is the verified
// share; the rest of the bar is then paler.
function Strip({ share, solid = share }: { share: number; solid?: number | undefined }) {
  const width = (part: number) => Math.max(part * 100, part > 0 ? 0.5 : 0);
  return (
    <svg
      aria-hidden="true"
      className="block h-3 w-full overflow-hidden rounded-full"
      preserveAspectRatio="none"
      viewBox="0 0 100 1"
    >
      <rect width="100" height="1" className="fill-wash print:fill-[#ddd] forced-colors:fill-[Canvas]" />
      {solid < share && <rect width={width(share)} height="1" className={LOGGED} />}
      <rect width={width(solid)} height="1" className={VERIFIED} />
    </svg>
  );
}

/** The fill of logged hours next to verified ones, also at schools that do not verify. */
export const LOGGED = 'fill-brand/40 forced-colors:fill-[GrayText]';
/** The fill of verified hours, and of all hours when no school verifies. */
export const VERIFIED = 'fill-brand forced-colors:fill-[CanvasText]';

/** The legend of the bars' two shades, when hours are verified. */
export function HoursLegend() {
  const { t } = useTranslation();
  return (
    <p aria-hidden="true" className="-my-1 flex flex-wrap gap-x-5 gap-y-1 px-1 text-sm text-soft">
      <Key className={VERIFIED} text={t('analytics:verified')} />
      <Key className={LOGGED} text={t('analytics:notVerified')} />
    </p>
  );
}

/** A legend entry: a small square in a chart's color, and its meaning. */
export function Key({ className, text }: { className: string; text: string }) {
  return (
    <span className="flex items-center gap-2 wrap-anywhere">
      <svg aria-hidden="true" className="size-3 shrink-0" viewBox="0 0 12 12">
        <rect x="0.5" y="0.5" width="11" height="11" className={className} />
      </svg>
      {text}
    </span>
  );
}

function FigureTable({
  label,
  nameTitle,
  asideTitle,
  figures,
  focusTargetOf,
}: Omit<FigurePartProps, 'title'> & { label: string }) {
  const { t, language } = useTranslation();
  const hasPeople = figures.some((figure) => figure.uniqueUsers !== undefined);
  const isOnly = use(VerifiedOnlyContext);
  const hasVerified = !isOnly && figures.some((figure) => figure.verifiedHours !== null);
  return (
    // A narrow screen scrolls the columns sideways, also with the arrow keys.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element needs the focus for keyboard scrolling
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would require a visible legend
    <div role="group" aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table aria-label={label} className={TABLE}>
        <thead>
          <tr>
            <th scope="col">{nameTitle}</th>
            {asideTitle !== undefined && <th scope="col">{asideTitle}</th>}
            <th scope="col" className="text-right!">
              {t(isOnly ? 'analytics:verifiedHours' : 'analytics:hours')}
            </th>
            {hasVerified && (
              <th scope="col" className="text-right!">
                {t('analytics:verified')}
              </th>
            )}
            <th scope="col" className="text-right!">
              {t('analytics:entries')}
            </th>
            {hasPeople && (
              <th scope="col" className="text-right!">
                {t('analytics:people')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <tr key={figure.key} ref={focusTargetOf?.(figure.key).ref} tabIndex={-1}>
              <th scope="row" className="font-normal! wrap-anywhere text-ink!">
                {figure.name}
                {figure.schoolName !== undefined && (
                  <span className="block text-sm text-soft">{figure.schoolName}</span>
                )}
              </th>
              {asideTitle !== undefined && <td className="wrap-anywhere">{figure.aside}</td>}
              <td className="figures text-right">{formatHours(figure.totalHours, language)}</td>
              {hasVerified && (
                <td className="figures text-right">
                  {figure.verifiedHours === null
                    ? t('analytics:doesNotVerify')
                    : formatHours(figure.verifiedHours, language)}
                </td>
              )}
              <td className="figures text-right">{formatCount(figure.totalEntries, language)}</td>
              {hasPeople && (
                <td className="figures text-right">{formatCount(figure.uniqueUsers ?? 0, language)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A plain table of numbers. */
export const TABLE =
  'w-full border-collapse text-left text-dense [&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:py-2 [&_th]:px-2 [&_th]:py-2 [&_th]:align-top [&_th]:font-medium [&_th]:text-soft [&_tbody_th]:border-t [&_tbody_th]:border-line [&_tr]:break-inside-avoid';
