import type { Ref } from 'react';
import { TranslationFields } from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import { dayBinding, invalidDayFields } from '#web/forms/day-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { CheckboxField } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useCategories } from '../categories/web/admin-api.ts';
import { ActivityInput, LIMITS, VerifiedBy } from '../contract.ts';
import { type ActivityValues, activityFormErrors, withChange } from './admin-activity-form-values.ts';

/** The state of the activity form: for a new activity, an existing one, or a suggested one. */
export function useActivityForm(
  initial: ActivityValues,
  send: (body: ActivityInput, values: ActivityValues) => Promise<void>,
  draft: string,
) {
  return useForm({
    schema: ActivityInput,
    initial,
    draft,
    check: (values, form) => ({
      ...activityFormErrors(values),
      ...invalidDayFields(form, ['activeFrom', 'activeUntil']),
    }),
    send,
  });
}

type ActivityFieldsProps = {
  form: ReturnType<typeof useActivityForm>;
  school: Pick<PublicSchool, 'id' | 'name'>;
  nameRef?: Ref<HTMLInputElement>;
};

/** The fields of the activity form. Some depend on each other (specification section 4). */
export function ActivityFields({ form, school, nameRef }: ActivityFieldsProps) {
  const { t } = useTranslation();
  const categories = useCategories(school.id);
  const { values } = form;
  function change(changes: Partial<ActivityValues>) {
    const next = withChange(values, changes);
    for (const name of Object.keys(next) as (keyof ActivityValues)[]) {
      if (next[name] !== values[name]) form.set(name, next[name]);
    }
  }
  const dateField = (name: 'activeFrom' | 'activeUntil') =>
    dayBinding(form.field(name), (date) => change({ [name]: date }));
  const category = form.field('categoryId');
  return (
    <>
      <TextField
        {...form.field('name')}
        {...(nameRef === undefined ? {} : { ref: nameRef })}
        label={t('activities:name')}
        maxLength={LIMITS.name}
        autoComplete="off"
        isRequired
      />
      <Select
        {...category}
        label={t('activities:category')}
        prompt={t('activities:chooseCategory')}
        hint={categories.data?.length === 0 ? t('activities:noCategories') : undefined}
        value={String(category.value ?? '')}
        onChange={(value) => category.onChange(value === '' ? undefined : Number(value))}
        choices={(categories.data ?? []).map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <TextArea {...form.field('description')} label={t('activities:description')} max={LIMITS.description} />
      <div className="flex flex-col gap-2">
        <CheckboxField isSelected={values.isYearLong} onChange={(isYearLong) => change({ isYearLong })}>
          {t('activities:yearLong')}
        </CheckboxField>
        <div className="grid grid-cols-1 gap-4 min-[24rem]:grid-cols-2">
          <DateField
            {...dateField('activeFrom')}
            label={t('activities:startDate')}
            isDisabled={values.isYearLong}
          />
          <DateField
            {...dateField('activeUntil')}
            label={t('activities:endDate')}
            {...(values.activeFrom === null ? {} : { min: values.activeFrom })}
            isDisabled={values.isYearLong || values.activeFrom === null}
          />
        </div>
      </div>
      <div className="flex flex-col gap-2">
        <CheckboxField
          isSelected={values.requiresDescription}
          onChange={(requiresDescription) => change({ requiresDescription })}
        >
          {t('activities:requiresDescription')}
        </CheckboxField>
        {values.requiresDescription && (
          <TextField
            {...form.field('descriptionPrompt')}
            label={t('activities:prompt')}
            hint={t('activities:promptHint', {
              prompt: values.descriptionPrompt.trim() || t('activities:promptExample'),
              name: values.name.trim() || t('activities:name'),
            })}
            maxLength={LIMITS.prompt}
            autoComplete="off"
            isRequired
          />
        )}
      </div>
      <TranslationFields
        {...form.field('translations')}
        texts={[
          { name: 'name', label: t('activities:name'), max: LIMITS.name },
          {
            name: 'description',
            label: t('activities:description'),
            max: LIMITS.description,
            isLong: true,
          },
          ...(values.requiresDescription
            ? [{ name: 'descriptionPrompt' as const, label: t('activities:prompt'), max: LIMITS.prompt }]
            : []),
        ]}
      />
      <VerifiedByFields form={form} />
      <CheckboxField isSelected={values.isActive} onChange={(isActive) => change({ isActive })}>
        {t('activities:isActive')}
      </CheckboxField>
    </>
  );
}

// Selects who verifies the hours, at a school with verification.
function VerifiedByFields({ form }: Pick<ActivityFieldsProps, 'form'>) {
  const { t } = useTranslation();
  const { value, onChange, ...field } = form.field('verifiedBy');
  return (
    <>
      <Select
        {...field}
        label={t('activities:verifiedBy')}
        hint={`${t(VERIFIED_BY[value].says)} ${t('activities:verifiedByOff')}`}
        value={value}
        onChange={(next) => onChange(VerifiedBy.options.find((one) => one === next) ?? value)}
        choices={VerifiedBy.options.map((one) => ({ value: one, text: t(VERIFIED_BY[one].text) }))}
      />
      {value === 'outside' && (
        <TextField
          {...form.field('outsideVerifier')}
          value={form.values.outsideVerifier ?? ''}
          onChange={(address) => form.set('outsideVerifier', address === '' ? null : address)}
          label={t('activities:outsideVerifier')}
          hint={t('activities:outsideVerifierHint')}
          type="email"
          autoComplete="off"
        />
      )}
    </>
  );
}

const VERIFIED_BY = {
  school: { text: 'activities:verifiedBySchool', says: 'activities:verifiedBySchoolSays' },
  trusted: { text: 'activities:verifiedByTrusted', says: 'activities:verifiedByTrustedSays' },
  outside: { text: 'activities:verifiedByOutside', says: 'activities:verifiedByOutsideSays' },
} as const satisfies Record<VerifiedBy, { text: MessageKey; says: MessageKey }>;
