import { useId } from 'react';
import type * as z from 'zod/mini';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import { dayBinding } from '#web/forms/day-field.ts';
import type { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { LATE_AFTER, type School, type SchoolInput, TRANSLATED } from '../admin-contract.ts';
import {
  type TranslationValues,
  translationValues,
} from '../content-translations/web/admin-translation-fields.tsx';
import type { LogoChoice } from './admin-logo-field.tsx';

/** Fields for verification and closed periods, each with an explanation. */
export function HoursFields({ form }: { form: HoursForm }) {
  const { t } = useTranslation();
  const isOn = form.values.verification === 'on';
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-2 font-semibold">{t('schools:hoursPart')}</legend>
      <div className="-mx-2">
        <Checkbox
          name="verification"
          isSelected={isOn}
          onChange={(next) => form.set('verification', next ? 'on' : 'off')}
          describedBy={id}
        >
          {t('schools:verifies')}
        </Checkbox>
        <p id={id} className="px-2 text-dense text-soft">
          {t(isOn ? 'schools:verifiesOn' : 'schools:verifiesOff')}
        </p>
      </div>
      <DateField
        {...dayBinding(form.field('closedBefore'), (day) => form.set('closedBefore', day))}
        label={t('schools:closedBefore')}
        hint={t('schools:closedBeforeHint')}
      />
      <NumberField
        {...form.field('lateAfterDays')}
        value={form.values.lateAfterDays ?? undefined}
        onChange={(days) => form.set('lateAfterDays', days ?? null)}
        label={t('schools:lateAfterField')}
        hint={t('schools:lateAfterFieldHint')}
        {...LATE_AFTER}
        step={1}
      />
    </fieldset>
  );
}

type HoursForm = Pick<
  ReturnType<typeof useForm<typeof SchoolInput, SchoolValues>>,
  'field' | 'set' | 'values'
>;

type SchoolValues = {
  name: string;
  logo: LogoChoice;
  verification: School['verification'];
  closedBefore: CalendarDate | null;
  lateAfterDays: number | null;
  translations: TranslationValues<'name'>;
};

/** The form's initial values. */
export function valuesOf(school: School | undefined): SchoolValues {
  return {
    name: school?.name ?? '',
    logo: 'kept',
    verification: school?.verification ?? 'off',
    closedBefore: school?.closedBefore ?? null,
    lateAfterDays: school?.lateAfterDays ?? null,
    translations: translationValues(TRANSLATED, school?.translations),
  };
}

/** Whether anything besides the logo has changed. */
export function isChanged(school: School, body: z.output<typeof SchoolInput>): boolean {
  const { name, verification, closedBefore, lateAfterDays, translations } = body;
  const after = changedTranslations(TRANSLATED, school.translations, translations);
  return (
    name !== school.name ||
    verification !== school.verification ||
    closedBefore !== school.closedBefore ||
    lateAfterDays !== school.lateAfterDays ||
    JSON.stringify(after) !== JSON.stringify(school.translations)
  );
}
