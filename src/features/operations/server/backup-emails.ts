import type texts from '#features/users/messages.emails.en.json';
import { readBackupState, readLogReplicationState } from '#server/backup/backup-status.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailParagraph as Paragraph } from '#server/email/email.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { formatMoment, type Instant } from '#shared/calendar-date.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { backupEmailRecipients } from './backup-email-store.ts';

/** Error texts of programs and storage services are in English. */
const REASONS = 'en';

const say = messageFactory<typeof texts>('users');

/** Emails administrators why the nightly backup fails; a null reason means it works again. */
export async function emailBackupStatus(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { lastAt } = await readBackupState(trx);
  const district = deps.config.districtName;
  const isFailing = reason !== null;
  await tellReaders(trx, deps, {
    kind: isFailing ? 'backup-failed' : 'backup-works',
    subject: isFailing
      ? say('mailBackupFailedSubject', { district })
      : say('mailBackupWorksSubject', { district }),
    body: (shown) => {
      const when = shown(lastAt);
      return isFailing
        ? [
            say('mailBackupFailed', { district }),
            { words: reason, language: REASONS },
            when === null ? say('mailBackupNone') : say('mailBackupLast', { when }),
          ]
        : [say('mailBackupWorks', { district, when: when ?? '' })];
    },
  });
}

/** Emails administrators why SQLite's log is not copied; a null reason means it works again. */
export async function emailLogCopyStatus(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { lastAt } = await readLogReplicationState(trx);
  const district = deps.config.districtName;
  const isFailing = reason !== null;
  await tellReaders(trx, deps, {
    kind: isFailing ? 'backup-failed' : 'backup-works',
    subject: isFailing
      ? say('mailLogCopyFailedSubject', { district })
      : say('mailLogCopyWorksSubject', { district }),
    body: (shown) => {
      const when = shown(lastAt);
      return isFailing
        ? [
            say('mailLogCopyFailed', { district }),
            { words: reason, language: REASONS },
            when === null ? say('mailLogCopyNone') : say('mailLogCopyLast', { when }),
          ]
        : [say('mailLogCopyWorks', { district })];
    },
  });
}

type Words = Readonly<{
  kind: 'backup-failed' | 'backup-works';
  subject: Message;
  /** `shown` formats a moment for the recipient. */
  body: (shown: (moment: Instant | null) => string | null) => (Message | Exclude<Paragraph, string>)[];
}>;

async function tellReaders(trx: Trx, deps: Deps, { kind, subject, body }: Words): Promise<void> {
  const at = deps.clock.now();
  for (const reader of await backupEmailRecipients(trx)) {
    const footnotes = [say('mailBackupWhy')];
    const { language } = inRecipientLanguage(deps, reader).translator;
    const words = body((moment) =>
      moment === null ? null : formatMoment(moment, language, deps.config.timeZone),
    );
    await queueEmail(trx, deps, {
      kind,
      userId: reader.id,
      letter: emailTo(deps, { ...reader, isProven: true }, { subject, body: words, footnotes }),
      at,
      expiresAt: noticeExpiry(at),
    });
  }
}
