import type texts from '#features/users/messages.emails.en.json';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { formatMoment } from '#shared/calendar-date.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { administrators } from './backup-email-store.ts';

const say = messageFactory<typeof texts>('users');

/** Emails administrators that jobs are paused because the clock jumped; a null reason means they run again. */
export async function emailClockWarning(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const district = deps.config.districtName;
  await tell(trx, deps, (now) =>
    reason === null
      ? { subject: say('mailClockRightSubject', { district }), body: [say('mailClockRight', { district })] }
      : {
          subject: say('mailClockJumpedSubject', { district }),
          body: [say('mailClockJumped', { now }), say('mailClockRemedy')],
        },
  );
}

/** Emails administrators that the disk is full or nearly full; a null reason means there is room again. */
export async function emailDiskWarning(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const district = deps.config.districtName;
  await tell(trx, deps, () =>
    reason === null
      ? { subject: say('mailDiskRoomSubject', { district }), body: [say('mailDiskRoom', { district })] }
      : {
          subject: say('mailDiskFullSubject', { district }),
          body: [say('mailDiskFull', { district }), say('mailDiskRemedy')],
        },
  );
}

/** Returns an email's content; `now` is formatted for the recipient. */
type Words = (now: string) => { subject: Message; body: Message[] };

async function tell(trx: Trx, deps: Deps, wordsAt: Words): Promise<void> {
  const at = deps.clock.now();
  for (const reader of await administrators(trx)) {
    const { language } = inRecipientLanguage(deps, reader).translator;
    const words = wordsAt(formatMoment(at, language, deps.config.timeZone));
    await queueEmail(trx, deps, {
      kind: 'server',
      userId: reader.id,
      letter: emailTo(deps, { ...reader, isProven: true }, { ...words, footnotes: [say('mailServerWhy')] }),
      at,
      expiresAt: noticeExpiry(at),
    });
  }
}
