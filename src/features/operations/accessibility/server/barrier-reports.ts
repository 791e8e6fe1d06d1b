import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailContent, EmailParagraph } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { networkOf } from '#server/http/client-address.ts';
import { BARRIER_REPORTS, BARRIER_REPORTS_PER_NETWORK, consumeAttempt } from '#server/http/rate-limit.ts';
import type { Request } from '#server/http/viewer.ts';
import { inDistrictLanguage } from '#server/i18n/recipient-language.ts';
import { htmlLanguage, translate } from '#server/i18n/translator.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { BARRIER, type Barrier } from '../contract.ts';
import { say } from './statement-page.ts';

const DAY_MS = 86_400_000;

/** Whether reports can be emailed to the district. */
export function canReportBarrier({ config }: Pick<Deps, 'config'>): boolean {
  return config.smtpUrl !== undefined;
}

/**
 * Emails a report to the support address, with hourly limits per network and in total. `language` is the language of the page.
 */
export async function reportBarrier(
  deps: Deps,
  request: Request,
  barrier: Barrier,
  language: string,
): Promise<void> {
  const { at } = request;
  const counters = [
    { key: `barriers:${networkOf(request.address)}`, policy: BARRIER_REPORTS_PER_NETWORK },
    { key: 'barriers', policy: BARRIER_REPORTS },
  ];
  await consumeAttempt(deps.database, counters, at);
  const letter = composeReport(deps, barrier, language);
  const expiresAt = plusMilliseconds(at, BARRIER.days * DAY_MS);
  await transaction(deps.database, (trx) =>
    queueEmail(trx, deps, { kind: 'accessibility', userId: null, letter, at, expiresAt }),
  );
}

function composeReport(given: Deps, { what, where, contact }: Barrier, language: string): EmailContent {
  const deps = inDistrictLanguage(given);
  const { districtName, supportEmail } = deps.config;
  const t = (message: Parameters<typeof translate>[1]) => translate(deps, message);
  const own = (words: string): EmailParagraph => ({ words, language: '' });
  return {
    to: { name: districtName, address: supportEmail },
    language: htmlLanguage(deps.translator),
    subject: t(say('mailSubject')),
    paragraphs: [
      t(say('mailIntro')),
      ...what.split(/\n+/).map(own),
      ...(where == null ? [] : [t(say('mailWhere', { where }))]),
      contact == null ? t(say('mailNoContact')) : t(say('mailContact', { contact })),
      t(say('mailLanguage', { language: languageName(language, deps.translator.language) })),
    ],
    footnotes: [t(say('mailAnyone'))],
  };
}

function languageName(language: string, inLanguage: string): string {
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(language) ?? language;
}
