import { readBackupState, readLogReplicationState } from '#server/backup/backup-status.ts';
import type { Trx } from '#server/db/database.ts';
import { type Recipient, selectAdministrators } from '#server/db/queries/recipient.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailParagraph } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { formatMoment, type Instant } from '#shared/calendar-date.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';
import { listBackupEmailRecipients } from './store.ts';

/** The language of error texts from programs and storage services. */
const REASON_LANGUAGE = 'en';

const say = messageFactory<typeof texts>('operations');

/** Emails administrators why the nightly backup fails; a null reason means it works again. */
export async function emailBackupStatus(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { lastAt } = await readBackupState(trx);
  const { districtName: district } = deps.config;
  await emailAboutBackups(trx, deps, reason, (format) =>
    reason === null
      ? {
          subject: say('mailBackupWorksSubject', { district }),
          body: [say('mailBackupWorks', { district, when: lastAt === null ? '' : format(lastAt) })],
        }
      : {
          subject: say('mailBackupFailedSubject', { district }),
          body: [
            say('mailBackupFailed', { district }),
            { words: reason, language: REASON_LANGUAGE },
            lastAt === null ? say('mailBackupNone') : say('mailBackupLast', { when: format(lastAt) }),
          ],
        },
  );
}

/** Emails administrators why SQLite's log is not copied; a null reason means it works again. */
export async function emailLogCopyStatus(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { lastAt } = await readLogReplicationState(trx);
  const { districtName: district } = deps.config;
  await emailAboutBackups(trx, deps, reason, (format) =>
    reason === null
      ? {
          subject: say('mailLogCopyWorksSubject', { district }),
          body: [say('mailLogCopyWorks', { district })],
        }
      : {
          subject: say('mailLogCopyFailedSubject', { district }),
          body: [
            say('mailLogCopyFailed', { district }),
            { words: reason, language: REASON_LANGUAGE },
            lastAt === null ? say('mailLogCopyNone') : say('mailLogCopyLast', { when: format(lastAt) }),
          ],
        },
  );
}

/** Emails administrators that jobs are paused because the clock jumped; a null reason means they run again. */
export async function emailClockWarning(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { districtName: district } = deps.config;
  await emailAboutServer(trx, deps, (format) =>
    reason === null
      ? { subject: say('mailClockRightSubject', { district }), body: [say('mailClockRight', { district })] }
      : {
          subject: say('mailClockJumpedSubject', { district }),
          body: [say('mailClockJumped', { now: format(deps.clock.now()) }), say('mailClockRemedy')],
        },
  );
}

/** Emails administrators that the disk is full or nearly full; a null reason means there is room again. */
export async function emailDiskWarning(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { districtName: district } = deps.config;
  await emailAboutServer(trx, deps, () =>
    reason === null
      ? { subject: say('mailDiskRoomSubject', { district }), body: [say('mailDiskRoom', { district })] }
      : {
          subject: say('mailDiskFullSubject', { district }),
          body: [say('mailDiskFull', { district }), say('mailDiskRemedy')],
        },
  );
}

/** Returns an email's content; `format` formats a moment for the recipient. */
type ContentFor = (format: (moment: Instant) => string) => {
  subject: Message;
  body: (Message | Exclude<EmailParagraph, string>)[];
};

async function emailAboutBackups(
  trx: Trx,
  deps: Deps,
  reason: string | null,
  contentFor: ContentFor,
): Promise<void> {
  const recipients = await listBackupEmailRecipients(trx);
  const kind = reason === null ? 'backup-works' : 'backup-failed';
  await emailEach(trx, deps, recipients, { kind, footnote: say('mailBackupWhy'), contentFor });
}

async function emailAboutServer(trx: Trx, deps: Deps, contentFor: ContentFor): Promise<void> {
  const recipients = await selectAdministrators(trx).execute();
  await emailEach(trx, deps, recipients, { kind: 'server', footnote: say('mailServerWhy'), contentFor });
}

async function emailEach(
  trx: Trx,
  deps: Deps,
  recipients: readonly Recipient[],
  { kind, footnote, contentFor }: { kind: string; footnote: Message; contentFor: ContentFor },
): Promise<void> {
  const at = deps.clock.now();
  for (const recipient of recipients) {
    const { language } = inRecipientLanguage(deps, recipient).translator;
    const content = contentFor((moment) => formatMoment(moment, language, deps.config.timeZone));
    await queueEmail(trx, deps, {
      kind,
      userId: recipient.id,
      letter: emailTo(deps, { ...recipient, isProven: true }, { ...content, footnotes: [footnote] }),
      at,
    });
  }
}
