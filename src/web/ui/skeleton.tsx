import { useTranslation } from '../i18n/translate.ts';

/**
 * Gray rows the size of the loading content. They appear only after 200 ms and are not animated, because a slow phone
 * renders the content sooner without extra frames.
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

/** A gray line for a word or two that are loading. */
export function SkeletonLine() {
  return <span aria-hidden="true" className="appear-late inline-block h-[0.8em] w-32 rounded bg-line" />;
}
