import { useDeferredValue } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { dayBinding, invalidDayFields } from '#web/forms/day-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { CharacterCount } from '#web/ui/character-count.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type Activity, datesProblem } from '../../contract.ts';
import { useActivities } from '../../web/api.ts';
import { LIMITS, SuggestionInput } from '../contract.ts';
import { useSuggest } from './api.ts';
import { findSimilarActivities } from './similar-activities.ts';

type DidYouMeanProps = {
  typed: string;
  activities: readonly Activity[];
  onActivity: (activity: { id: number; schoolId: number }) => void;
};

/** Lists activities of the school with similar names, to avoid duplicate suggestions. */
export function DidYouMean({ typed, activities, onActivity }: DidYouMeanProps) {
  const { t } = useTranslation();
  const similar = findSimilarActivities(useDeferredValue(typed), activities);
  return (
    // Always rendered, because screen readers announce only changes inside an existing live region.
    <div role="status">
      {similar.length > 0 && (
        <div className="pt-3">
          <Notice>
            <p className="font-medium">{t('suggestions:didYouMean')}</p>
            <ul>
              {similar.map((activity) => (
                <li key={activity.id} className="flex min-h-11 flex-wrap items-center gap-2">
                  <CategoryDot color={activity.category.color} />
                  {activity.isActive ? (
                    <LinkButton onPress={() => onActivity(activity)}>{activity.name}</LinkButton>
                  ) : (
                    <>
                      <span className="px-1 font-medium wrap-anywhere">{activity.name}</span>
                      <Badge tone="notice">{t('suggestions:activityInactive')}</Badge>
                    </>
                  )}
                  <span className="text-sm wrap-anywhere">{activity.category.name}</span>
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </div>
  );
}

type Values = {
  name: string;
  description: string;
  categoryId: Id | null;
  isYearLong: boolean;
  activeFrom: CalendarDate | null;
  activeUntil: CalendarDate | null;
  reason: string;
  schoolId: Id | null;
};

const EMPTY: Values = {
  name: '',
  description: '',
  categoryId: null,
  isYearLong: false,
  activeFrom: null,
  activeUntil: null,
  reason: '',
  schoolId: null,
};

/**
 * The state of a new suggestion. The dialog's parent owns it, so typed text survives closing the dialog. `onSubmitted` gets the
 * server's message.
 */
export function useSuggestionForm(school: PublicSchool, onSubmitted: (message: string) => void) {
  const suggest = useSuggest();
  const activities = useActivities(school.id).data ?? [];
  const form = useForm({
    schema: SuggestionInput,
    initial: EMPTY,
    draft: `suggest ${school.id}`,
    check: (values, element) => {
      const problem = datesProblem(values);
      return {
        ...(problem === undefined ? {} : { [problem.field]: problem.message }),
        ...invalidDayFields(element, ['activeFrom', 'activeUntil']),
      };
    },
    send: async (body) => {
      const isHere = activities.some(({ category }) => category.id === body.categoryId);
      const categoryId = isHere ? (body.categoryId ?? null) : null;
      const { message } = await suggest.mutateAsync({ ...body, schoolId: school.id, categoryId });
      form.clear(EMPTY);
      onSubmitted(message);
    },
    whenLeft: 'kept',
  });
  const { values } = form;
  return {
    ...form,
    activities,
    isChanged: Object.entries(values).some(([name, value]) => value !== EMPTY[name as keyof Values]),
    startOver: () => form.clear(EMPTY),
    /** Year-long clears the dates, and an end date needs a start date (specification section 4). */
    setYearLong(isYearLong: boolean) {
      form.set('isYearLong', isYearLong);
      form.set('activeFrom', null);
      form.set('activeUntil', null);
    },
    setStart(date: CalendarDate | null) {
      form.set('activeFrom', date);
      if (date === null) form.set('activeUntil', null);
    },
  };
}

type SuggestionFormProps = {
  form: ReturnType<typeof useSuggestionForm>;
  /** The school to show, for a user with more than one. */
  school: PublicSchool | undefined;
  onActivity: (activity: { id: number; schoolId: number }) => void;
};

/** The form for a new suggestion: only the name is required. */
export function SuggestionForm({ form, school, onActivity }: SuggestionFormProps) {
  const { t } = useTranslation();
  const { values } = form;
  const category = form.field('categoryId');
  const categories = categoriesOf(form.activities);
  const optional = <span className="text-sm text-soft">{t('suggestions:optional')}</span>;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {school !== undefined && (
        <p className="text-soft">{t('suggestions:formFor', { school: school.name })}</p>
      )}
      <div>
        <TextField
          {...form.field('name')}
          label={t('suggestions:name')}
          maxLength={LIMITS.name}
          autoComplete="off"
          isRequired
        />
        <CharacterCount count={values.name.length} max={LIMITS.name} />
        <DidYouMean typed={values.name} activities={form.activities} onActivity={onActivity} />
      </div>
      <TextArea
        {...form.field('description')}
        label={t('suggestions:description')}
        aside={optional}
        max={LIMITS.description}
      />
      <Select
        {...category}
        label={t('suggestions:category')}
        hint={t('suggestions:categoryHint')}
        aside={optional}
        prompt={t('suggestions:noCategory')}
        value={categories.some(({ id }) => id === category.value) ? String(category.value) : ''}
        onChange={(value) => category.onChange(value === '' ? null : Number(value))}
        choices={categories.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <div className="flex flex-col gap-2">
        <div className="-mx-2">
          <Checkbox isSelected={values.isYearLong} onChange={form.setYearLong}>
            {t('suggestions:yearLongBox')}
          </Checkbox>
          <p className="px-2 text-sm text-soft">{t('suggestions:yearLongHint')}</p>
        </div>
        {!values.isYearLong && (
          <div className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
            <DateField
              {...dayBinding(form.field('activeFrom'), form.setStart)}
              label={t('suggestions:startDate')}
            />
            <DateField
              {...dayBinding(form.field('activeUntil'), (date) => form.set('activeUntil', date))}
              label={t('suggestions:endDate')}
              {...(values.activeFrom === null
                ? { hint: t('suggestions:endDateHint') }
                : { min: values.activeFrom })}
              isDisabled={values.activeFrom === null}
            />
          </div>
        )}
      </div>
      <TextArea
        {...form.field('reason')}
        label={t('suggestions:reason')}
        hint={t('suggestions:reasonHint')}
        aside={optional}
        max={LIMITS.reason}
      />
      <FormMessage message={form.message} summary={form.summary} />
      <DialogActions>
        {form.isChanged && (
          <Button kind="plain" onPress={form.startOver} isDisabled={form.isSending}>
            {t('suggestions:clear')}
          </Button>
        )}
        <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('suggestions:submitting')}>
          {t('suggestions:submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The categories used by a school's activities, by name (specification section 7: derived from the activities). */
function categoriesOf(activities: readonly Activity[]) {
  const byId = new Map(activities.map(({ category }) => [category.id, category]));
  return [...byId.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}
