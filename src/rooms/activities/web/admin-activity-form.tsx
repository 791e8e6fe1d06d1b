import { CalendarPlus, Copy } from 'lucide-react';
import { useCategories } from '#rooms/categories/web/admin-api.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import { dayBinding, halfTypedDays } from '#web/lib/day-field.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import type { RecordForm } from '#web/ui/admin/record-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type Activity, ActivityInput, LIMITS } from '../contract.ts';
import {
  type ActivityValues,
  activityFaults,
  canSubmit,
  nextYear,
  valuesOf,
  withChange,
} from './admin-activity-values.ts';
import { useSaveActivity } from './admin-api.ts';

type ActivityFormProps = RecordForm<Activity> & {
  school: PublicSchool;
  /** Other schools to copy an activity to; without it there are none. */
  onCopyToSchools: ((activity: Activity) => void) | undefined;
};

/** An activity with all that the specification knows of it (sections 3 to 5). */
export function ActivityForm(props: ActivityFormProps) {
  const { school, opened, onClose, onOpen, onDelete, onReload, onCopyToSchools } = props;
  const { t } = useText();
  const save = useSaveActivity();
  const categories = useCategories(school.id);
  const activity = opened.kind === 'edit' ? opened.row : undefined;
  const form = useForm({
    schema: ActivityInput,
    initial: valuesOf(opened.kind === 'edit' ? opened.row : opened.from, school.id),
    check: (values) => ({ ...activityFaults(values), ...halfTypedDays(['activeFrom', 'activeUntil']) }),
    send: async (body) => {
      const { message } = await save.mutateAsync({ activity, body });
      notify.success(message);
      onClose();
    },
  });
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
    <PanelForm
      form={form}
      saveText={t(activity === undefined ? 'activities:create' : 'web:save')}
      isSaveDisabled={!canSubmit(values)}
      onCancel={onClose}
      {...(activity === undefined
        ? {}
        : {
            deleteText: t('activities:deleteTitle'),
            onDelete: () => onDelete(activity),
            onReload: () => void onReload(activity),
          })}
    >
      {opened.kind === 'new' && opened.from !== undefined && (
        <Notice>{t(opened.from.activeFrom === null ? 'activities:copied' : 'activities:copiedDates')}</Notice>
      )}
      <TextField
        {...form.field('name')}
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
        <div className="-mx-2">
          <Checkbox isSelected={values.isYearLong} onChange={(isYearLong) => change({ isYearLong })}>
            {t('activities:yearLong')}
          </Checkbox>
        </div>
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
        <div className="-mx-2">
          <Checkbox
            isSelected={values.requiresDescription}
            onChange={(requiresDescription) => change({ requiresDescription })}
          >
            {t('activities:requiresDescription')}
          </Checkbox>
        </div>
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
      <div className="-mx-2">
        <Checkbox isSelected={values.isActive} onChange={(isActive) => change({ isActive })}>
          {t('activities:isActive')}
        </Checkbox>
      </div>
      {activity !== undefined && (
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          <Button
            icon={<CalendarPlus aria-hidden="true" className="size-5" />}
            onPress={() => onOpen({ kind: 'new', from: nextYear(activity) })}
          >
            {t('activities:copyToNextYear')}
          </Button>
          {onCopyToSchools !== undefined && (
            <Button
              icon={<Copy aria-hidden="true" className="size-5" />}
              onPress={() => onCopyToSchools(activity)}
            >
              {t('activities:copyToSchools')}
            </Button>
          )}
        </div>
      )}
    </PanelForm>
  );
}
