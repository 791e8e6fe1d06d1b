import { randomUUID } from 'node:crypto';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { buildMimeMessage } from '#server/email/email.ts';
import { emailServerError } from '#server/email/email-server-error.ts';
import { sendImmediately, UNREADABLE_EMAIL_SERVER } from '#server/email/mailer.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { checkRateLimit, EMAILS_BY_SENDER } from '#server/http/rate-limit.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { errors } from '#shared/errors.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';
import { mailServerErrors, messages } from '../settings-contract.ts';

const say = messageFactory<typeof texts>('district-settings');

const TIMEOUT_MS = 30_000;

/**
 * Sends a test email through the configured mail server and waits for the result. Throws 409 with the reason if that fails, 429
 * after ten emails within an hour.
 */
export async function sendTestMail(
  deps: Deps,
  { viewer, request }: Acting,
  to: string,
): Promise<{ message: string }> {
  const counter = { key: `letters-by:${viewer.userId}`, policy: EMAILS_BY_SENDER };
  if (!(await checkRateLimit(deps.database, [counter], request.at))) {
    throw errors.tooManyTries(messages.testTooMany, EMAILS_BY_SENDER.pauseSeconds);
  }
  const { smtpUrl } = deps.config;
  if (smtpUrl === undefined) throw errors.conflict(messages.noMailServer);
  // The audit event leaves out the recipient, which concerns only the sender.
  await transaction(deps.database, (trx) =>
    recordEvent(trx, actorOf(viewer, request), {
      action: 'system.mail-test',
      subject: 'system',
      subjectId: null,
    }),
  );
  const reader = { email: to, id: viewer.userId, language: null };
  const problem = await trySending(deps, smtpUrl, reader, request.at);
  if (problem !== undefined) throw errors.conflict(problem);
  return { message: translate(deps, messages.testSent(to)) };
}

async function trySending(
  deps: Deps,
  smtpUrl: string,
  to: Parameters<typeof emailTo>[1],
  at: Acting['request']['at'],
): Promise<Message | undefined> {
  if (smtpUrl === UNREADABLE_EMAIL_SERVER) return mailServerErrors.unreadable;
  const { mailFrom, districtName: district } = deps.config;
  const letter = emailTo(deps, to, {
    subject: say('mailTestSubject', { district }),
    body: [say('mailTestBody', { district })],
  });
  const [, domain = 'localhost'] = mailFrom.address.split('@');
  const envelope = await buildMimeMessage(deps, letter, { messageId: `${randomUUID()}@${domain}`, at });
  const { host, username } = new URL(smtpUrl);
  try {
    await sendImmediately(smtpUrl, envelope, AbortSignal.timeout(TIMEOUT_MS));
    return undefined;
  } catch (error) {
    const problem = emailServerError(error, username !== '');
    return problem === 'sender'
      ? mailServerErrors.sender(host, mailFrom.address)
      : mailServerErrors[problem](host);
  }
}
