import { useId, useState } from 'react';
import type * as z from 'zod/mini';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import { failureText } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { dayBinding, invalidDayFields } from '#web/forms/day-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { LATE_AFTER, type School, SchoolInput, TRANSLATED } from '../admin-contract.ts';
import {
  TranslationFields,
  type TranslationValues,
  translationValues,
} from '../content-translations/web/admin-translation-fields.tsx';
import { LIMITS } from '../contract.ts';
import { useSaveLogo, useSaveSchool } from './admin-api.ts';
import { type LogoChoice, LogoField, logoProblem } from './admin-logo-field.tsx';

/** The form for a school's name and logo. */
export function SchoolForm({ opened, onClose, onOpen, onDelete, onReload }: EditableListForm<School>) {
  const { t } = useTranslation();
  const mayDelete = useCan()('run the district');
  const save = useSaveSchool();
  const saveLogo = useSaveLogo();
  const [sent, setSent] = useState<number>();
  const school = opened.kind === 'edit' ? opened.row : undefined;
  const initial = valuesOf(school);
  const form = useForm({
    schema: SchoolInput,
    initial,
    check: ({ logo }, element) => ({
      logo: logoProblem(logo),
      ...invalidDayFields(element, ['closedBefore']),
    }),
    send: async (body, { logo }) => {
      // Saves only the fields, only the logo, or the fields and then the logo.
      const isNamed = school === undefined || isChanged(school, body) || logo === 'kept';
      const named = isNamed ? await save.mutateAsync({ school, body }) : undefined;
      const saved = named?.school ?? school;
      if (saved !== undefined && logo !== 'kept') {
        try {
          const { message } = await saveLogo.mutateAsync({ school: saved, logo, onProgress: setSent });
          notify.success(named?.message ?? message);
        } catch (error) {
          // The school already exists, and saving again must not create another one.
          if (named === undefined) throw error;
          notify.success(named.message);
          notify.failure(failureText(error));
          onOpen({ kind: 'edit', row: named.school });
          return;
        } finally {
          setSent(undefined);
        }
      } else if (named !== undefined) notify.success(named.message);
      onClose();
    },
  });
  return (
    <PanelForm
      form={form}
      saveText={t(school === undefined ? 'schools:create' : 'web:save')}
      onCancel={onClose}
      {...(school === undefined
        ? {}
        : {
            deleteText: t('schools:deleteTitle'),
            onDelete: mayDelete ? () => onDelete(school) : undefined,
            onReload: () => void onReload(school),
            more: <LetterTemplateButton school={school} onSaved={() => onReload(school)} />,
          })}
    >
      <TextField
        {...form.field('name')}
        label={t('schools:name')}
        maxLength={LIMITS.name}
        autoComplete="off"
        isRequired
      />
      <TranslationFields
        {...form.field('translations')}
        texts={[{ name: 'name', label: t('schools:name'), max: LIMITS.name }]}
      />
      <LogoField {...form.field('logo')} current={school?.logoUrl ?? null} sent={sent} />
      <HoursFields form={form} />
    </PanelForm>
  );
}

// Loaded when first opened, because most visits to the form never open it.
function LetterTemplateButton({ school, onSaved }: { school: School; onSaved: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t('schools:letterTemplate')}</Button>
      {isOpen && <LetterTemplate school={school} onSaved={onSaved} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const LetterTemplate = lazyScreen(
  async () => (await import('./admin-service-letter-template.tsx')).LetterTemplateDialog,
);

/** Fields for verification and closed periods, each with an explanation. */
function HoursFields({ form }: { form: HoursForm }) {
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
function isChanged(school: School, body: z.output<typeof SchoolInput>): boolean {
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
