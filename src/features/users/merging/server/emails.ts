import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { describeRemovedSignIns, emailRecipientOf, type LockedAccount } from '../../server/accounts.ts';
import type { RemovedSignIns } from '../../server/sign-in-hooks.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('merging');

/** Emails both addresses about the merge. Guest volunteers get no email. */
export async function emailAccountsMerged(
  trx: Trx,
  deps: Deps,
  {
    from,
    into,
    keptEmail,
    at,
  }: { from: LockedAccount; into: LockedAccount; keptEmail: string | undefined; at: Instant },
): Promise<void> {
  const [ended, kept] = keptEmail === undefined ? [from, into] : [into, from];
  await tell(trx, deps, { to: ended, userId: into.row.id, at }, 'mailMerged');
  await tell(trx, deps, { to: kept, userId: into.row.id, at }, 'mailMergedKept');
}

/**
 * Emails the restored account. If the surviving account gets its former address back, the email also lists the sign-in methods
 * that account lost (`ended`), and its former address gets an email too.
 */
export async function emailAccountsUnmerged(
  trx: Trx,
  deps: Deps,
  {
    from,
    kept,
    ended,
    at,
  }: { from: LockedAccount; kept: LockedAccount; ended: RemovedSignIns | undefined; at: Instant },
): Promise<void> {
  const more = ended === undefined ? [] : [say('mailPartedPassword'), ...describeRemovedSignIns(ended)];
  await tell(trx, deps, { to: from, userId: from.row.id, at }, 'mailParted', more);
  if (ended !== undefined) await tell(trx, deps, { to: kept, userId: kept.row.id, at }, 'mailPartedKept');
}

const SUBJECTS = {
  mailMerged: say('mailMergedSubject'),
  mailMergedKept: say('mailMergedSubject'),
  mailParted: say('mailPartedSubject'),
  mailPartedKept: say('mailPartedSubject'),
} as const;

async function tell(
  trx: Trx,
  deps: Deps,
  { to, userId, at }: { to: LockedAccount; userId: number; at: Instant },
  what: keyof typeof SUBJECTS,
  more: readonly Message[] = [],
): Promise<void> {
  if (to.row.is_walk_in === 1) return;
  const { districtName: district, supportEmail: email } = deps.config;
  const letter = emailTo(deps, emailRecipientOf(to.row), {
    subject: SUBJECTS[what],
    body: [say(what, { district }), ...more, say('mailMergeWrong', { email })],
  });
  await queueEmail(trx, deps, { kind: 'account-merge', userId, letter, at });
}
