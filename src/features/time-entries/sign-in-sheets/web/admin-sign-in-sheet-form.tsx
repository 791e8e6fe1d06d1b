import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { makeLogCode } from '#features/activities/log-codes/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { readStored, writeStored } from '#web/api/browser-storage.ts';
import { call, failureText } from '#web/api/call.ts';
import { saveFrom } from '#web/api/download.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { CopyField } from '#web/ui/admin/copy-field.tsx';
import { RadioList } from '#web/ui/admin/radio-list.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  makeSignInSheet,
  PAPERS,
  type Paper,
  SHEET_PEOPLE,
  type SheetPeople,
  SIGN_IN_SHEET,
} from '../contract.ts';

type PrintSheetFormProps = {
  activity: Readonly<{ id: Id; name: string }>;
  /** The initial day. */
  date: CalendarDate;
  onClose: () => void;
};

/** The choices stored in this browser for the next sheet. */
type Choice = { people: SheetPeople; blankLines: number; paper: Paper };

const STORAGE_KEY = 'signInSheet';
const DEFAULT_CHOICE: Choice = { people: 'helpers', blankLines: 15, paper: 'letter' };

const PEOPLE = {
  helpers: ['time-entries:sheetHelpers', 'time-entries:sheetHelpersAbout'],
  members: ['time-entries:sheetMembers', 'time-entries:sheetMembersAbout'],
  nobody: ['time-entries:sheetNoNames', 'time-entries:sheetNobodyAbout'],
} as const satisfies Record<SheetPeople, readonly [string, string]>;

/**
 * Prints a sign-in sheet: the day, whose names, how many blank lines, the paper. Also shows the link printed on it.
 */
export function PrintSheetForm({ activity, date, onClose }: PrintSheetFormProps) {
  const { t } = useTranslation();
  const [unprintable, setUnprintable] = useState<readonly string[]>([]);
  const form = useForm({
    schema: makeSignInSheet.parts.body,
    initial: { date: date as string, ...lastChoice() },
    whenLeft: 'no loss',
    send: async (body) => {
      const made = await call(makeSignInSheet, { params: { id: activity.id }, body });
      const { people, blankLines, paper } = body;
      writeStored(STORAGE_KEY, JSON.stringify({ people, blankLines, paper }));
      saveFrom(made.url);
      setUnprintable(made.unprintable);
      notify.success(t('time-entries:sheetMade', { count: made.people }));
      if (made.unprintable.length === 0) onClose();
    },
  });
  return (
    <div className="flex flex-col gap-5">
      <DialogForm
        form={form}
        send={{ text: t('time-entries:sheetMake'), busyText: t('time-entries:sheetMaking') }}
        onCancel={onClose}
      >
        <p className="font-medium wrap-anywhere">{activity.name}</p>
        <DateField {...form.field('date')} label={t('time-entries:sheetDay')} />
        <RadioList
          {...form.field('people')}
          label={t('time-entries:sheetPeople')}
          choices={SHEET_PEOPLE.map((value) => ({
            value,
            text: t(PEOPLE[value][0]),
            about: t(PEOPLE[value][1]),
          }))}
        />
        <NumberField
          {...form.field('blankLines')}
          label={t('time-entries:sheetLines')}
          onChange={(lines) => form.set('blankLines', lines ?? 0)}
          min={0}
          max={SIGN_IN_SHEET.lines}
          step={1}
        />
        <Select
          {...form.field('paper')}
          label={t('time-entries:sheetPaper')}
          onChange={(value) => form.set('paper', value as Paper)}
          choices={PAPERS.map((value) => ({
            value,
            text: t(value === 'letter' ? 'time-entries:sheetLetter' : 'time-entries:sheetA4'),
          }))}
        />
        <div role="status" className="not-has-[p]:hidden">
          {unprintable.length > 0 && (
            <Notice>
              <p>{t('time-entries:sheetByHand', { names: unprintable.join(', ') })}</p>
            </Notice>
          )}
        </div>
      </DialogForm>
      <SheetLink activityId={activity.id} />
    </div>
  );
}

// The link printed on the sheet, to share on posters or in messages, and a way to replace it.
function SheetLink({ activityId }: { activityId: Id }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const key = ['admin', 'log-code', activityId];
  const made = (renew: boolean) => call(makeLogCode, { params: { id: activityId }, body: { renew } });
  const link = useQuery({ queryKey: key, queryFn: () => made(false) });
  const renewal = useMutation({
    mutationFn: () => made(true),
    onSuccess: (next) => {
      client.setQueryData(key, next);
      setIsAsking(false);
      if (next.message !== null) notify.success(next.message);
    },
    onError: (error) => notify.failure(failureText(error)),
  });

  if (link.data === undefined)
    return <QueryPlaceholder text={failureText(link.error)} query={link} rows={1} />;
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4">
      <CopyField label={t('time-entries:sheetLink')} name="sheet-link" value={link.data.address} />
      <p className="text-sm text-soft">{t('time-entries:sheetLinkAbout')}</p>
      {isAsking ? (
        <Notice>
          <p>{t('time-entries:sheetRenewAsk')}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onPress={() => renewal.mutate()} isBusy={renewal.isPending}>
              {t('time-entries:sheetRenewYes')}
            </Button>
            <Button kind="plain" onPress={() => setIsAsking(false)}>
              {t('time-entries:sheetRenewNo')}
            </Button>
          </div>
        </Notice>
      ) : (
        <div>
          <LinkButton onPress={() => setIsAsking(true)}>{t('time-entries:sheetRenew')}</LinkButton>
        </div>
      )}
    </section>
  );
}

function lastChoice(): Choice {
  try {
    const stored = JSON.parse(readStored(STORAGE_KEY) ?? '{}') as Partial<Choice>;
    const lines = Number(stored.blankLines ?? DEFAULT_CHOICE.blankLines);
    return {
      people: SHEET_PEOPLE.find((one) => one === stored.people) ?? DEFAULT_CHOICE.people,
      blankLines: Number.isInteger(lines)
        ? Math.min(Math.max(lines, 0), SIGN_IN_SHEET.lines)
        : DEFAULT_CHOICE.blankLines,
      paper: PAPERS.find((one) => one === stored.paper) ?? DEFAULT_CHOICE.paper,
    };
  } catch {
    return DEFAULT_CHOICE;
  }
}
