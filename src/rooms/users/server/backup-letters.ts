import { formatMoment, type Instant } from '#base/calendar-date.ts';
import { type Message, sayFrom } from '#base/message.ts';
import { readBackupState, readLogCopyState } from '#server/backup/backup-state.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import type texts from '../mail-text.en.json';
import { backupReaders } from './backup-mail-store.ts';
import { letterTo } from './letters.ts';

const say = sayFrom<typeof texts>('users');

/** Tells the administrators why the nightly backup fails, or with null that it works again. */
export async function tellOfBackup(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const when = shown(deps, (await readBackupState(trx)).lastAt);
  const district = deps.config.districtName;
  const isFailing = reason !== null;
  await tellReaders(trx, deps, {
    kind: isFailing ? 'backup-failed' : 'backup-works',
    subject: isFailing
      ? say('mailBackupFailedSubject', { district })
      : say('mailBackupWorksSubject', { district }),
    body: isFailing
      ? [
          say('mailBackupFailed', { district }),
          say('mailBackupReason', { reason }),
          when === null ? say('mailBackupNone') : say('mailBackupLast', { when }),
        ]
      : [say('mailBackupWorks', { district, when: when ?? '' })],
  });
}

/** Tells them why SQLite's log is not copied, or with null that it is again. */
export async function tellOfLogCopy(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const when = shown(deps, (await readLogCopyState(trx)).lastAt);
  const district = deps.config.districtName;
  const isFailing = reason !== null;
  await tellReaders(trx, deps, {
    kind: isFailing ? 'backup-failed' : 'backup-works',
    subject: isFailing
      ? say('mailLogCopyFailedSubject', { district })
      : say('mailLogCopyWorksSubject', { district }),
    body: isFailing
      ? [
          say('mailLogCopyFailed', { district }),
          say('mailBackupReason', { reason }),
          when === null ? say('mailLogCopyNone') : say('mailLogCopyLast', { when }),
        ]
      : [say('mailLogCopyWorks', { district })],
  });
}

type Words = Readonly<{ kind: 'backup-failed' | 'backup-works'; subject: Message; body: Message[] }>;

async function tellReaders(trx: Trx, deps: Deps, { kind, subject, body }: Words): Promise<void> {
  const at = deps.clock.now();
  for (const reader of await backupReaders(trx)) {
    const footnotes = [say('mailBackupWhy')];
    await post(trx, deps, {
      kind,
      userId: reader.id,
      letter: letterTo(deps, { ...reader, isProven: true }, { subject, body, footnotes }),
      at,
      expiresAt: noticeExpiry(at),
    });
  }
}

function shown({ catalogue, config }: Deps, moment: Instant | null): string | null {
  return moment === null ? null : formatMoment(moment, catalogue.language, config.timeZone);
}
