import {
  type TranslationValues,
  translationValues,
} from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import { addDays, type CalendarDate } from '#shared/calendar-date.ts';
import { changedTranslations, OTHER_LANGUAGES } from '#shared/content-translations.ts';
import type { Message } from '#shared/i18n/message.ts';
import type { Id } from '#shared/id.ts';
import type { AdminActivity, VerifiedBy } from '../contract.ts';
import { activityProblem, TRANSLATED } from '../contract.ts';

/** The values of the activity form. `isYearLong` exists only in the form and is not sent (specification section 3). */
export type ActivityValues = {
  name: string;
  schoolId: Id;
  categoryId: Id | undefined;
  description: string;
  isYearLong: boolean;
  activeFrom: CalendarDate | null;
  activeUntil: CalendarDate | null;
  requiresDescription: boolean;
  descriptionPrompt: string;
  isActive: boolean;
  verifiedBy: VerifiedBy;
  outsideVerifier: string | null;
  translations: TranslationValues<(typeof TRANSLATED)[number]>;
};

/** Returns form values for an existing activity, or for a new one: empty, or copied from another. */
export function valuesOf(activity: AdminActivity | undefined, schoolId: Id): ActivityValues {
  return {
    name: activity?.name ?? '',
    schoolId,
    categoryId: activity?.categoryId,
    description: activity?.description ?? '',
    isYearLong: activity !== undefined && activity.activeFrom === null && activity.activeUntil === null,
    activeFrom: activity?.activeFrom ?? null,
    activeUntil: activity?.activeUntil ?? null,
    requiresDescription: activity?.requiresDescription ?? false,
    descriptionPrompt: activity?.descriptionPrompt ?? '',
    isActive: activity?.isActive ?? true,
    verifiedBy: activity?.verifiedBy ?? 'school',
    outsideVerifier: activity?.outsideVerifier ?? null,
    translations: translationValues(TRANSLATED, activity?.translations),
  };
}

/**
 * Applies a change and its consequences (specification section 4): year-long clears the dates, an end needs a start,
 * and without 'requires description' there is no prompt.
 */
export function withChange(values: ActivityValues, change: Partial<ActivityValues>): ActivityValues {
  const next = { ...values, ...change };
  if (next.isYearLong) return { ...next, activeFrom: null, activeUntil: null, ...promptOf(next) };
  return { ...next, activeUntil: next.activeFrom === null ? null : next.activeUntil, ...promptOf(next) };
}

function promptOf({ requiresDescription, descriptionPrompt }: ActivityValues) {
  return { descriptionPrompt: requiresDescription ? descriptionPrompt : '' };
}

/** Whether the form may be submitted: a required description needs a prompt (specification section 5). */
export function canSubmit({ requiresDescription, descriptionPrompt }: ActivityValues): boolean {
  return !requiresDescription || descriptionPrompt.trim() !== '';
}

/** Returns errors between fields that depend on each other, by field. */
export function activityFormErrors(values: ActivityValues): Partial<Record<keyof ActivityValues, Message>> {
  const problem = activityProblem({ ...values, descriptionPrompt: values.descriptionPrompt.trim() || null });
  return problem === undefined ? {} : { [problem.field]: problem.message };
}

/**
 * Returns a copy of an activity for next year: active, 52 weeks later so that a Friday stays a Friday, and with the year in its
 * name raised by one.
 */
export function copyForNextYear(activity: AdminActivity): AdminActivity {
  return {
    ...activity,
    name: withNextYear(activity.name),
    translations: translationsWithNextYear(activity.translations),
    activeFrom: nextYearDate(activity.activeFrom),
    activeUntil: nextYearDate(activity.activeUntil),
    isActive: true,
  };
}

function translationsWithNextYear(translations: AdminActivity['translations']) {
  const names = OTHER_LANGUAGES.flatMap((language) => {
    const name = translations?.[language]?.name;
    return name === undefined || name === null ? [] : [[language, { name: withNextYear(name) }] as const];
  });
  return changedTranslations(TRANSLATED, translations, Object.fromEntries(names));
}

function withNextYear(name: string): string {
  return name.replace(YEARS, (_, year: string, sep?: string, end?: string) =>
    end === undefined
      ? String(Number(year) + 1)
      : `${Number(year) + 1}${sep}${String(Number(end) + 1).padStart(2, '0')}`,
  );
}

// '2026', '2025-26', '2025/2026'
const YEARS = /\b(20\d{2})(?:([-–/])(20\d{2}|\d{2}))?\b/g;

function nextYearDate(date: CalendarDate | null): CalendarDate | null {
  return date === null ? null : addDays(date, 364);
}
