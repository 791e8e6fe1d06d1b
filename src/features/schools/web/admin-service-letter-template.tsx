import type { FormEvent } from 'react';
import { formatDay } from '#shared/calendar-date.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { School } from '../admin-contract.ts';
import { useDistrict } from '../district-settings/web/api.ts';
import {
  fillPlaceholders,
  findUnknownPlaceholder,
  LETTER_LIMITS,
  LetterTemplateInput,
  PLACEHOLDERS,
} from '../service-letter-template.ts';
import { useSaveLetter } from './admin-api.ts';

type LetterTemplateProps = { school: School; onSaved: () => void; onClose: () => void };

/** The form for the signer and text of a school's service letters, with a preview. */
export function LetterTemplateDialog(props: LetterTemplateProps) {
  const { t } = useTranslation();
  // The form is inside the dialog, so that closing the dialog asks before it discards changes.
  return (
    <Dialog title={t('schools:letterTemplate')} isOpen onClose={props.onClose}>
      <LetterTemplateForm {...props} />
    </Dialog>
  );
}

function LetterTemplateForm({ school, onSaved, onClose }: LetterTemplateProps) {
  const { t } = useTranslation();
  const save = useSaveLetter();
  const form = useForm({
    schema: LetterTemplateInput,
    initial: {
      signerName: school.letter?.signerName ?? '',
      signerTitle: school.letter?.signerTitle ?? '',
      wording: school.letter?.wording ?? '',
    },
    send: async (letter) => {
      const { message } = await save.mutateAsync({ school, letter });
      notify.success(message);
      onSaved();
      onClose();
    },
  });
  // The dialog is rendered inside the school's form. Don't submit that form too.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.stopPropagation();
    return form.onSubmit(event);
  };
  return (
    <DialogForm form={{ ...form, onSubmit: submit }} onCancel={onClose}>
      <TextField
        {...form.field('signerName')}
        label={t('schools:letterSigner')}
        maxLength={LETTER_LIMITS.signer}
        autoComplete="off"
        isRequired
      />
      <TextField
        {...form.field('signerTitle')}
        label={t('schools:letterTitle')}
        maxLength={LETTER_LIMITS.title}
        autoComplete="off"
        isRequired
      />
      <TextArea
        {...form.field('wording')}
        label={t('schools:letterWording')}
        hint={t('schools:letterWordingHint', {
          known: PLACEHOLDERS.map((name) => `{${name}}`).join(' '),
        })}
        max={LETTER_LIMITS.wording}
        rows={4}
      />
      <Preview school={school.name} {...form.values} />
    </DialogForm>
  );
}

function Preview({
  school,
  signerName,
  signerTitle,
  wording,
}: {
  school: string;
  signerName: string;
  signerTitle: string;
  wording: string;
}) {
  const { t, language } = useTranslation();
  const district = useDistrict().data;
  if (district === undefined) return null;
  const [from, to] = [district.schoolYearStart, district.today].map((date) => formatDay(date, language));
  const values = {
    name: t('schools:letterSampleName'),
    school,
    district: district.districtName,
    hours: t('schools:letterSampleHours'),
    from: from ?? '',
    to: to ?? '',
    date: to ?? '',
  };
  const isUsual = wording.trim() === '' || findUnknownPlaceholder(wording) !== undefined;
  return (
    <section aria-label={t('schools:letterPreview')} className="rounded-xl border border-line p-4">
      <p className="pb-2 text-sm text-soft">{t('schools:letterPreview')}</p>
      <p className="whitespace-pre-line wrap-anywhere">
        {isUsual ? t('schools:letterUsual') : fillPlaceholders(wording, values)}
      </p>
      <p className="pt-4 font-medium wrap-anywhere">{signerName}</p>
      <p className="text-soft wrap-anywhere">{signerTitle}</p>
    </section>
  );
}
