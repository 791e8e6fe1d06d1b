import { formatDay } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { Suggestion } from '../contract.ts';

/** The suggested date, if one was given: 'Mar 1, 2026', or a range of days. */
export function SuggestedDates({ suggestion }: { suggestion: Suggestion }) {
  const { t, language } = useTranslation();
  const { activeFrom, activeUntil } = suggestion;
  if (activeFrom === null) return null;
  const from = formatDay(activeFrom, language);
  if (activeUntil === null || activeUntil === activeFrom) return <span>{from}</span>;
  return <span>{t('activities:fromTo', { from, to: formatDay(activeUntil, language) })}</span>;
}
