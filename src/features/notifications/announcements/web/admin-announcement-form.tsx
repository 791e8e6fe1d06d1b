import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnnouncementProps } from '#features/users/web/admin-users-props.ts';
import { dayIn, formatDayShort } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { CallError, call } from '#web/api/call.ts';
import { readInTab, writeInTab } from '#web/api/tab-storage.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { ChoiceButtons } from '#web/ui/choice-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  ANNOUNCEMENT_LIMITS,
  AnnouncementText,
  listAnnouncements,
  messages,
  previewAnnouncement,
  sendAnnouncement,
} from '../contract.ts';

/** An unsent draft. */
export type Draft = Readonly<{ subject: string; text: string }>;

const DRAFT_KEY = 'letter-to-many';
const EMPTY: Draft = { subject: '', text: '' };

/** The draft of this browser tab; it survives a reload and ends with the session. */
export function readDraft(): Draft {
  return readInTab(DRAFT_KEY, EMPTY);
}

/** Stores the draft; undefined deletes it. */
export function saveDraft(draft: Draft | undefined): void {
  const isEmpty = draft === undefined || (draft.subject === '' && draft.text === '');
  writeInTab(DRAFT_KEY, isEmpty ? undefined : draft);
}

const MAILINGS = ['mailings'];
const POLL_MS = 2_000;

type Preview = ReplyOf<typeof previewAnnouncement>;

/** The form for emailing the selected users, or all users in the filtered list. */
export function AnnouncementForm({ chosen, matching, total, timeZone, onClose, onSent }: AnnouncementProps) {
  const { t } = useTranslation();
  const [whom, setWhom] = useState<'chosen' | 'matching'>('chosen');
  const to = whom === 'matching' ? { matching } : { userIds: chosen.map(({ id }) => id) };
  const preview = useQuery({
    queryKey: [...MAILINGS, 'preview', to],
    queryFn: ({ signal }) => call(previewAnnouncement, { body: to, signal }),
    staleTime: 0,
  });
  return (
    <Dialog title={t('announcements:title')} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        {total > chosen.length && (
          <ChoiceButtons
            label={t('announcements:to')}
            name="whom"
            value={whom}
            onChange={(value) => setWhom(value === 'matching' ? 'matching' : 'chosen')}
            choices={[
              { value: 'chosen', text: t('announcements:toChosen', { count: chosen.length }) },
              { value: 'matching', text: t('announcements:toMatching', { count: total }) },
            ]}
          />
        )}
        {preview.isError && <QueryError text={t('announcements:failedToLoad')} query={preview} />}
        {preview.data?.sendsMail !== false && <RecipientSummary preview={preview.data} />}
        <AnnouncementFields
          to={to}
          preview={preview.data}
          onChanged={() => void preview.refetch()}
          onClose={onClose}
          onSent={onSent}
        />
        <RecentAnnouncements timeZone={timeZone} />
      </div>
    </Dialog>
  );
}

const EXCLUSION_REASONS = ['walkIns', 'inactive', 'unconfirmed', 'stopped'] as const;

/** Shows how many people get it, how many do not, and why. */
function RecipientSummary({ preview }: { preview: Preview | undefined }) {
  const { t } = useTranslation();
  if (preview === undefined) return <p aria-busy="true">&nbsp;</p>;
  const { receivers, total, left } = preview;
  return (
    <div className="flex flex-col gap-1" role="status">
      <p className="font-medium">
        {receivers === 0
          ? t('announcements:receiversNone')
          : t('announcements:receivers', { count: receivers })}
      </p>
      {total > receivers && (
        <p className="text-dense text-soft">
          {t('announcements:left', { count: total - receivers })}{' '}
          {EXCLUSION_REASONS.filter((reason) => left[reason] > 0)
            .map((reason) => t(`announcements:${reason}`, { count: left[reason] }))
            .join(', ')}
        </p>
      )}
    </div>
  );
}

type AnnouncementFieldsProps = {
  to: { userIds?: number[]; matching?: AnnouncementProps['matching'] };
  preview: Preview | undefined;
  /** Called if the recipients have changed since the preview. */
  onChanged: () => void;
  onClose: () => void;
  onSent: () => void;
};

function AnnouncementFields({ to, preview, onChanged, onClose, onSent }: AnnouncementFieldsProps) {
  const { t, say } = useTranslation();
  const client = useQueryClient();
  const [initial] = useState(readDraft);
  const form = useForm({
    schema: AnnouncementText,
    initial,
    whenLeft: 'kept',
    send: async (letter) => {
      const receivers = preview?.receivers ?? 0;
      try {
        const { message } = await call(sendAnnouncement, { body: { ...to, ...letter, receivers } });
        saveDraft(undefined);
        notify.success(message);
      } catch (error) {
        if (error instanceof CallError && error.status === 409) onChanged();
        throw error;
      }
      void client.invalidateQueries({ queryKey: MAILINGS });
      onSent();
    },
  });
  const { values } = form;
  const keepDraft = (change: Partial<typeof values>) => saveDraft({ ...values, ...change });
  if (preview?.sendsMail === false) return <Notice>{say(messages.noMailServer)}</Notice>;
  return (
    <DialogForm
      form={form}
      send={{ text: t('announcements:send'), busyText: t('announcements:sending') }}
      onCancel={onClose}
    >
      <TextField
        {...form.field('subject')}
        onChange={(subject) => {
          form.set('subject', subject);
          keepDraft({ subject });
        }}
        label={t('announcements:subject')}
        maxLength={ANNOUNCEMENT_LIMITS.subject}
        autoComplete="off"
        isRequired
      />
      <TextArea
        {...form.field('text')}
        onChange={(text) => {
          form.set('text', text);
          keepDraft({ text });
        }}
        label={t('announcements:text')}
        max={ANNOUNCEMENT_LIMITS.text}
        isTall
        isRequired
      />
      {preview !== undefined && <EmailPreview draft={values} preview={preview} />}
      {preview !== undefined && (
        <p className="text-dense text-soft">
          {t('announcements:keepsDraft')} {t('announcements:leftToday', { count: preview.leftToday })}
        </p>
      )}
    </DialogForm>
  );
}

/** The preview of the email. */
function EmailPreview({ draft, preview }: { draft: { subject: string; text: string }; preview: Preview }) {
  const { t } = useTranslation();
  const lines = [preview.opening, ...draft.text.split('\n'), ...preview.closing];
  return (
    <section className="flex flex-col gap-2" aria-label={t('announcements:looks')}>
      <h3 className="font-medium">{t('announcements:looks')}</h3>
      <div className="flex flex-col gap-2 rounded-xl border border-line p-4 text-dense wrap-anywhere">
        <p className="font-medium">{draft.subject}</p>
        {lines.map((line, at) =>
          // Lines have no identity other than their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          line.trim() === '' ? null : <p key={at}>{line}</p>,
        )}
      </div>
    </section>
  );
}

/** The viewer's recent announcements and their progress. */
function RecentAnnouncements({ timeZone }: Pick<AnnouncementProps, 'timeZone'>) {
  const text = useTranslation();
  const { data } = useQuery({
    queryKey: [...MAILINGS, 'own'],
    queryFn: ({ signal }) => call(listAnnouncements, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.mailings.some(({ isFinished }) => !isFinished) === true ? POLL_MS : false,
  });
  if (data === undefined || data.mailings.length === 0) return null;
  return (
    <section className="flex flex-col gap-1 text-dense">
      <h3 className="font-medium">{text.t('announcements:yours')}</h3>
      <ul className="flex flex-col gap-1">
        {data.mailings.map(({ id, subject, createdAt, ...sent }) => (
          <li key={id} className="wrap-anywhere">
            {subject}{' '}
            <span className="text-soft">
              {formatDayShort(dayIn(timeZone, createdAt), text.language)}: {describeProgress(sent, text)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Progress = Pick<
  ReplyOf<typeof listAnnouncements>['mailings'][number],
  'posted' | 'total' | 'isFinished'
>;

// Fewer than planned if recipients opted out meanwhile or the sender may no longer email them.
function describeProgress({ posted, total, isFinished }: Progress, { t }: Text): string {
  if (!isFinished) return t('announcements:progress', { posted, total });
  return posted < total
    ? t('announcements:finishedPartly', { posted, count: total })
    : t('announcements:finished', { count: posted });
}
