import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import {
  deleteQueuedEmail,
  findUnsent,
  listUnsentEmails,
  makeDue,
  queueEmail,
} from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { checkRateLimit, EMAILS_BY_SENDER } from '#server/http/rate-limit.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { type listMailQueue, messages } from '../contract.ts';
import { serverMessage } from './server-messages.ts';
import { findEmail } from './store.ts';

const LIST = 'mail-queue';
const TEST_KIND = 'test';

/** Returns a page of pending and failed emails, newest first. */
export async function readMailQueue(deps: Deps, query: QueryOf<typeof listMailQueue>) {
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => listUnsentEmails(deps, page),
    keyOf: ({ id }) => [id],
  });
  return { letters: rows.map(({ userId: _, ...letter }) => letter), nextCursor };
}

/** Sends an email now. Throws 404 if it was sent or deleted, 409 if it is being sent or has expired. */
export function sendNow(deps: Deps, acting: Acting, id: number): Promise<{ message: string }> {
  return decide(deps, acting, id, async (trx, isOver) => {
    if (isOver) throw errors.conflict(messages.letterOver);
    await makeDue(trx, id, acting.request.at);
    return { action: 'system.mail-retry', confirmation: messages.letterRetried };
  });
}

/** Deletes an email. Throws 404 if it was sent or deleted, 409 if it is being sent. */
export function discardQueuedEmail(deps: Deps, acting: Acting, id: number): Promise<{ message: string }> {
  return decide(deps, acting, id, async (trx) => {
    await deleteQueuedEmail(trx, id, acting.request.at);
    return { action: 'system.mail-drop', confirmation: messages.letterDropped };
  });
}

function decide(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
  change: (trx: Trx, isOver: boolean) => Promise<{ action: string; confirmation: Message }>,
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    const letter = await findUnsent(trx, id, request.at);
    if (letter === undefined) throw errors.notFound(messages.letterGone);
    if (letter.isBeingSent) throw errors.conflict(messages.letterBeingSent);
    const { action, confirmation } = await change(trx, letter.isOver);
    await recordEvent(trx, actorOf(viewer, request), {
      action,
      subject: 'system',
      subjectId: null,
      personId: letter.userId,
      after: { letter: letter.kind },
    });
    return { message: translate(deps, confirmation) };
  });
}

/** Queues a test email to the given address, by default the viewer's. Throws 429 after ten within an hour. */
export async function sendTestEmail(
  deps: Deps,
  { viewer, request }: Acting,
  given: string | null | undefined,
): Promise<{ message: string }> {
  const counter = { key: `letters-by:${viewer.userId}`, policy: EMAILS_BY_SENDER };
  if (!(await checkRateLimit(deps.database, [counter], request.at))) {
    throw errors.tooManyTries(messages.testTooMany, EMAILS_BY_SENDER.pauseSeconds);
  }
  const address = given ?? (await findEmail(deps.database.db, viewer.userId));
  if (address === undefined) throw errors.notFound(messages.letterGone);
  const to = { email: address, id: viewer.userId, language: null };
  const letter = emailTo(deps, to, {
    subject: serverMessage('mailTestSubject'),
    body: [serverMessage('mailTest')],
  });
  await transaction(deps.database, async (trx) => {
    const { at } = request;
    // The address may belong to no account.
    await queueEmail(trx, deps, { kind: TEST_KIND, userId: null, letter, at });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'system.mail-test',
      subject: 'system',
      subjectId: null,
    });
  });
  const confirmation = deps.config.smtpUrl === undefined ? messages.testInFolder : messages.testPosted;
  return { message: translate(deps, confirmation(address)) };
}
