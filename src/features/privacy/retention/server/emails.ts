import {
  KIND_NAMES,
  KINDS,
  type Kind,
  type Retention,
  type RetentionPending,
} from '#features/schools/district-settings/retention-periods.ts';
import { usersWithPermission } from '#features/users/roles/server/actions.ts';
import { requireExistingAccount } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { formatMoment, type Instant } from '#shared/calendar-date.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import { messages } from '../contract.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('retention');

type Shortened = Readonly<{ by: number; at: Instant; before: Retention; pending: RetentionPending }>;

/** Emails every district administrator which periods were shortened, and until when they can cancel this. */
export async function emailShorterRetention(
  trx: Trx,
  given: Deps,
  { by, at, before, pending }: Shortened,
): Promise<void> {
  const name = fullName(await requireExistingAccount(trx, by));
  const { districtName: district, timeZone } = given.config;
  for (const reader of await usersWithPermission(trx, 'run the district')) {
    const deps = inRecipientLanguage(given, reader);
    const when = formatMoment(pending.effectiveAt, deps.translator.language, timeZone);
    const shorter = KIND_NAMES.flatMap((kind): Message[] => {
      const period = pending.values[kind];
      if (period === undefined) return [];
      const formatPeriod = (value: number | null) => translate(deps, periodMessage(kind, value));
      return [
        say('mailShorterKind', {
          kind: translate(deps, messages.kind[kind]),
          period: formatPeriod(period),
          before: formatPeriod(before[kind]),
        }),
      ];
    });
    const letter = emailTo(given, reader, {
      subject: say('mailShorterSubject', { district, at: when }),
      body: [say('mailShorter', { name, district, at: when }), ...shorter, say('mailShorterCancel')],
    });
    await queueEmail(trx, given, {
      kind: 'retention-shortened',
      userId: reader.id,
      letter,
      at,
    });
  }
}

function periodMessage(kind: Kind, period: number | null): Message {
  return period === null ? messages.forever : messages.period[KINDS[kind].unit](period);
}
