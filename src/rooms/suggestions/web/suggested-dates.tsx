import { formatDay } from '#base/calendar-date.ts';
import { useText } from '#web/lib/text.ts';
import type { Suggestion } from '../contract.ts';

/** When the activity would be held, where that was said: 'Mar 1, 2026', or from one day to another. */
export function SuggestedDates({ suggestion }: { suggestion: Suggestion }) {
  const { t, language } = useText();
  const { activeFrom, activeUntil } = suggestion;
  if (activeFrom === null) return null;
  const from = formatDay(activeFrom, language);
  if (activeUntil === null || activeUntil === activeFrom) return <span>{from}</span>;
  return <span>{t('activities:fromTo', { from, to: formatDay(activeUntil, language) })}</span>;
}
