import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { LETTER_LANGUAGES } from '../contract.ts';

/** The values of the letter form. A null school means all schools. */
export type LetterDraft = {
  schoolId: number | null;
  startDate: string;
  endDate: string;
  withDates: boolean;
  language: string;
};

/** Returns a draft about the school year so far, at one school if known, because only then does the school sign the letter. */
export function firstDraft({ today, schoolYearStart }: District, schoolId: Id | null): LetterDraft {
  return { schoolId, startDate: schoolYearStart, endDate: today, withDates: false, language: 'en' };
}

type LetterFieldsProps = {
  fields: { [Name in keyof LetterDraft]: FieldBinding<LetterDraft[Name]> };
  schools: readonly Pick<PublicSchool, 'id' | 'name'>[];
  today: CalendarDate;
};

/** The fields of a letter: school, period, language, and whether each date is listed. */
export function LetterFields({ fields, schools, today }: LetterFieldsProps) {
  const { t } = useTranslation();
  const { schoolId: school, withDates: dates } = fields;
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select
          {...school}
          label={t('service-letters:school')}
          value={school.value === null ? '' : String(school.value)}
          onChange={(value) => school.onChange(value === '' ? null : Number(value))}
          choices={[
            { value: '', text: t('service-letters:allSchools') },
            ...schools.map(({ id, name }) => ({ value: String(id), text: name })),
          ]}
        />
        <Select
          {...fields.language}
          label={t('service-letters:language')}
          choices={LETTER_LANGUAGES.map((value) => ({ value, text: t(`service-letters:${value}`) }))}
        />
        <DateField {...fields.startDate} label={t('service-letters:startDate')} max={today} />
        <DateField {...fields.endDate} label={t('service-letters:endDate')} max={today} />
      </div>
      {school.value === null && <p className="text-dense text-soft">{t('service-letters:allSchoolsHint')}</p>}
      <Checkbox name="withDates" isSelected={dates.value} onChange={dates.onChange}>
        {t('service-letters:withDates')}
      </Checkbox>
    </>
  );
}
