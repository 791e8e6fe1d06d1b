import { emailRecipientOf, lockUser } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { emailTo, notYouNotice } from '#server/email/personal-email.ts';
import type { Request } from '#server/http/viewer.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { formatMoment, plusMilliseconds } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';
import { describeDevice } from '../sessions/server/device-name.ts';
import { wasRecentlyNotified } from './known-device-store.ts';
import { isNewDevice } from './login-throttling.ts';

const say = messageFactory<typeof texts>('auth');
const KIND = 'new-device';
const HOUR_MS = 3_600_000;

/**
 * Emails a user about a sign-in from a new browser, if the district has turned this on. Not for the first sign-in, only to a
 * confirmed address, and at most once an hour. A stranger can choose nothing in the email: the device name is one of our own.
 */
export async function emailNewDevice(trx: Trx, given: Deps, request: Request, userId: number): Promise<void> {
  if (!given.config.newDeviceLetters || !(await isNewDevice(trx, given, request, userId))) return;
  const { at } = request;
  const user = await lockUser(trx, userId);
  if (user === undefined || user.email_verified_at === null) return;
  if (await wasRecentlyNotified(trx, userId, KIND, plusMilliseconds(at, -HOUR_MS))) return;
  const deps = inRecipientLanguage(given, user);
  const { districtName: district, timeZone } = deps.config;
  const device = describeDevice(deps, request.agent);
  const letter = emailTo(deps, emailRecipientOf(user), {
    subject: say('mailNewDeviceSubject'),
    body: [
      say('mailNewDevice', { district, device, when: formatMoment(at, deps.translator.language, timeZone) }),
      notYouNotice(deps),
    ],
  });
  await queueEmail(trx, deps, { kind: KIND, userId, letter, at });
}
