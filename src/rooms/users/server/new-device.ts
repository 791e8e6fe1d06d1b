import { formatMoment, plusMilliseconds } from '#base/calendar-date.ts';
import { sayFrom } from '#base/message.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { forReader } from '#server/for-reader.ts';
import type { Request } from '#server/http/viewer.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import type texts from '../mail-text.en.json';
import { deviceIn } from './device-name.ts';
import { isNewPlace } from './guessing.ts';
import { wasTold } from './known-device-store.ts';
import { letterTo } from './letters.ts';
import { addresseeOf, holdUser } from './store.ts';

const say = sayFrom<typeof texts>('users');
const KIND = 'new-device';
const HOUR_MS = 3_600_000;

/**
 * Where the district wants it, tells somebody that their account is signed in to with a browser that it does not know: not at
 * the first sign-in, at a proven address only, and once an hour at most. Nothing in the letter is the stranger's to choose:
 * the device is one of our own words.
 */
export async function tellOfNewDevice(
  trx: Trx,
  given: Deps,
  request: Request,
  userId: number,
): Promise<void> {
  if (!given.config.newDeviceLetters || !(await isNewPlace(trx, given, request, userId))) return;
  const { at } = request;
  const user = await holdUser(trx, userId);
  if (user === undefined || user.email_verified_at === null) return;
  if (await wasTold(trx, userId, KIND, plusMilliseconds(at, -HOUR_MS))) return;
  const deps = forReader(given, user);
  const { districtName: district, supportEmail: email, timeZone } = deps.config;
  const device = deviceIn(deps, request.agent);
  const letter = letterTo(deps, addresseeOf(user), {
    subject: say('mailNewDeviceSubject'),
    body: [
      say('mailNewDevice', { district, device, when: formatMoment(at, deps.catalogue.language, timeZone) }),
      say('mailNotYou', { email }),
    ],
  });
  await post(trx, deps, { kind: KIND, userId, letter, at, expiresAt: noticeExpiry(at) });
}
