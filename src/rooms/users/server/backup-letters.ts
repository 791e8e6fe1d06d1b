import { formatMoment } from '#base/calendar-date.ts';
import { sayFrom } from '#base/message.ts';
import { readBackupState } from '#server/backup/backup-state.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/mail/letter.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import type texts from '../mail-text.en.json';
import { backupReaders } from './backup-mail-store.ts';
import { type Addressee, letterTo } from './letters.ts';

const say = sayFrom<typeof texts>('users');

/** Tells the administrators why the nightly backup fails, or with null that it works again. */
export async function tellOfBackup(trx: Trx, deps: Deps, reason: string | null): Promise<void> {
  const { lastAt } = await readBackupState(trx);
  const when = lastAt === null ? null : formatMoment(lastAt, deps.catalogue.language, deps.config.timeZone);
  const at = deps.clock.now();
  for (const reader of await backupReaders(trx)) {
    await post(trx, deps, {
      kind: reason === null ? 'backup-works' : 'backup-failed',
      userId: reader.id,
      letter: letterOf(deps, { ...reader, isProven: true }, reason, when),
      at,
      expiresAt: noticeExpiry(at),
    });
  }
}

function letterOf(deps: Deps, to: Addressee, reason: string | null, when: string | null): Letter {
  const district = deps.config.districtName;
  const footnotes = [say('mailBackupWhy')];
  if (reason === null) {
    const body = [say('mailBackupWorks', { district, when: when ?? '' })];
    return letterTo(deps, to, { subject: say('mailBackupWorksSubject', { district }), body, footnotes });
  }
  return letterTo(deps, to, {
    subject: say('mailBackupFailedSubject', { district }),
    body: [
      say('mailBackupFailed', { district }),
      say('mailBackupReason', { reason }),
      when === null ? say('mailBackupNone') : say('mailBackupLast', { when }),
    ],
    footnotes,
  });
}
