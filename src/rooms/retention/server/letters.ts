import { formatMoment, type Instant } from '#base/calendar-date.ts';
import { type Message, sayFrom } from '#base/message.ts';
import { fullName } from '#base/person-name.ts';
import { holdersWho } from '#rooms/users/server/grants.ts';
import { accountNow, letterTo } from '#rooms/users/server/merging.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { forReader } from '#server/for-reader.ts';
import { text } from '#server/http/errors.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import {
  KIND_NAMES,
  KINDS,
  type Kind,
  messages,
  type Retention,
  type RetentionPending,
} from '../contract.ts';
import type texts from '../mail-text.en.json';

const say = sayFrom<typeof texts>('retention');

type Shortened = Readonly<{ by: number; at: Instant; before: Retention; pending: RetentionPending }>;

/** Emails every district administrator which periods somebody shortened, and until when it can be canceled. */
export async function tellOfShorter(
  trx: Trx,
  given: Deps,
  { by, at, before, pending }: Shortened,
): Promise<void> {
  const name = fullName(await accountNow(trx, by));
  const { districtName: district, timeZone } = given.config;
  for (const reader of await holdersWho(trx, 'run the district')) {
    const deps = forReader(given, reader);
    const when = formatMoment(pending.effectiveAt, deps.catalogue.language, timeZone);
    const shorter = KIND_NAMES.flatMap((kind): Message[] => {
      const period = pending.values[kind];
      if (period === undefined) return [];
      const said = (value: number | null) => text(deps, periodIn(kind, value));
      return [
        say('mailShorterKind', {
          kind: text(deps, messages.kind[kind]),
          period: said(period),
          before: said(before[kind]),
        }),
      ];
    });
    const letter = letterTo(given, reader, {
      subject: say('mailShorterSubject', { district, at: when }),
      body: [say('mailShorter', { name, district, at: when }), ...shorter, say('mailShorterCancel')],
    });
    await post(trx, given, {
      kind: 'retention-shortened',
      userId: reader.id,
      letter,
      at,
      expiresAt: noticeExpiry(at),
    });
  }
}

function periodIn(kind: Kind, period: number | null): Message {
  return period === null ? messages.forever : messages.period[KINDS[kind].unit](period);
}
