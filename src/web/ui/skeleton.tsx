import { useTranslation } from '../i18n/translate.ts';

/**
 * Grey rows the size of the content being loaded. They appear only after 200 ms, and stay still: a slow phone draws the
 * content sooner when it need not draw frames meanwhile.
 */
export function SkeletonRows({ rows = 4, isTall = false }: { rows?: number; isTall?: boolean }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="appear-late flex flex-col gap-3">
      <span className="sr-only">{t('web:loading')}</span>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <span key={row} aria-hidden="true" className={`rounded-xl bg-line ${isTall ? 'h-16' : 'h-11'}`} />
      ))}
    </div>
  );
}

/** A grey line in place of a word or two that are loading. */
export function SkeletonLine() {
  return <span aria-hidden="true" className="appear-late inline-block h-[0.8em] w-32 rounded bg-line" />;
}
