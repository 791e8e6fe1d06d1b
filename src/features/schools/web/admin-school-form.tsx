import { useState } from 'react';
import { failureText } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { invalidDayFields } from '#web/forms/day-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type School, SchoolInput } from '../admin-contract.ts';
import { TranslationFields } from '../content-translations/web/admin-translation-fields.tsx';
import { LIMITS } from '../contract.ts';
import { useSaveLogo, useSaveSchool } from './admin-api.ts';
import { LogoField, logoProblem } from './admin-logo-field.tsx';
import { HoursFields, isChanged, valuesOf } from './admin-school-hours-fields.tsx';

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
      // Saves the fields only, the logo only, or the fields and then the logo.
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
            more: <LetterTemplatePart school={school} onSaved={() => onReload(school)} />,
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

// Loaded when first opened: most visits to the form never do.
function LetterTemplatePart({ school, onSaved }: { school: School; onSaved: () => void }) {
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
