import { type RightsHolder, usersWithPermission } from '#features/users/roles/server/actions.ts';
import type { Deps } from '#server/deps.ts';
import { type EmailContent, linkTo } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { inRecipientLanguage, recipientLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import {
  addDays,
  type CalendarDate,
  dayIn,
  daysBetween,
  mondayOf,
  startOfDay,
} from '#shared/calendar-date.ts';
import { formatHours, fromHundredths } from '#shared/hours.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { isDistrictAdministrator, schoolsWhereAllowed } from '#shared/permissions.ts';
import { OVERDUE_DAYS } from '../../contract.ts';
import type texts from '../../messages.server.en.json';
import { WEEKLY_REMINDER } from '../contract.ts';
import { claimWeek, countPendingBySchool, type Waiting } from './store.ts';

const say = messageFactory<typeof texts>('verification');

/**
 * Once a week, emails people who may verify hours about the hours waiting at their schools: users with a role there, and
 * district administrators about hours that no such user may verify. Each gets one email a week, even if the job runs more
 * often.
 */
export const weeklyReminderJob: DailyJob = {
  name: 'waiting-hours-letters',
  fromHour: WEEKLY_REMINDER.hour,
  isWeekly: true,
  run: async (trx, deps) => {
    const at = deps.clock.now();
    const { timeZone } = deps.config;
    const today = dayIn(timeZone, at);
    const since = startOfDay(timeZone, addDays(today, -OVERDUE_DAYS));
    const verifiers = await usersWithPermission(trx, 'verify hours');
    const waiting = new Map<Language, readonly Waiting[]>();
    for (const reader of verifiers) {
      const language = recipientLanguage(deps, reader);
      const all =
        waiting.get(language) ?? (await withNameLanguage(language, () => countPendingBySchool(trx, since)));
      waiting.set(language, all);
      const shown = sumBySchool(all.filter((one) => mayVerify(reader, verifiers, one)));
      if (shown.length === 0 || !(await claimWeek(trx, reader.id, mondayOf(today)))) continue;
      await queueEmail(trx, deps, {
        kind: 'waiting-hours',
        userId: reader.id,
        letter: composeReminder(deps, reader, shown, today),
        at,
      });
    }
  },
};

// Excludes the reader's own hours, which they cannot verify.
function mayVerify(
  reader: RightsHolder,
  verifiers: readonly RightsHolder[],
  { schoolId, staffId }: Waiting,
): boolean {
  if (staffId === reader.id) return false;
  if (hasRoleAt(reader, schoolId)) return true;
  return (
    isDistrictAdministrator(reader) &&
    !verifiers.some((other) => other.id !== staffId && hasRoleAt(other, schoolId))
  );
}

function hasRoleAt({ grants }: RightsHolder, schoolId: number): boolean {
  const scope = schoolsWhereAllowed({ role: 'user', grants }, 'verify hours');
  return scope === 'all' || scope.includes(schoolId);
}

// One line per school; those with overdue hours first, by the oldest.
function sumBySchool(waiting: readonly Waiting[]): Waiting[] {
  const schools = new Map<number, Waiting>();
  for (const one of waiting) {
    const known = schools.get(one.schoolId);
    schools.set(one.schoolId, known === undefined ? one : mergeWaiting(known, one));
  }
  const all = [...schools.values()];
  const late = all.filter(({ tooLong }) => tooLong > 0);
  return [
    ...late.toSorted((a, b) => (a.oldestAt < b.oldestAt ? -1 : 1)),
    ...all.filter(({ tooLong }) => tooLong === 0),
  ];
}

function mergeWaiting(one: Waiting, other: Waiting): Waiting {
  return {
    ...one,
    staffId: null,
    count: one.count + other.count,
    hundredths: one.hundredths + other.hundredths,
    tooLong: one.tooLong + other.tooLong,
    tooLongHundredths: one.tooLongHundredths + other.tooLongHundredths,
    oldestAt: one.oldestAt < other.oldestAt ? one.oldestAt : other.oldestAt,
  };
}

function composeReminder(
  given: Deps,
  reader: RightsHolder,
  waiting: readonly Waiting[],
  today: CalendarDate,
): EmailContent {
  const deps = inRecipientLanguage(given, reader);
  const { districtName: district } = deps.config;
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  const more = waiting.length - WEEKLY_REMINDER.schools;
  const isOnlyDistrict = !waiting.some(({ schoolId }) => hasRoleAt(reader, schoolId));
  return emailTo(deps, reader, {
    subject: say('weeklySubject', { count }),
    body: [
      say('weeklyIntro', { district }),
      ...waiting.slice(0, WEEKLY_REMINDER.schools).map((one) => schoolLine(deps, one, today)),
      ...(more > 0 ? [say('weeklyMore', { count: more })] : []),
    ],
    button: { label: say('weeklyOpen'), url: linkTo(deps, 'desk', String(waiting[0]?.schoolId)) },
    footnotes: [say(isOnlyDistrict ? 'weeklyWhyDistrict' : 'weeklyWhy')],
    stopAt: unsubscribeLink(deps, 'waiting-hours', reader.id),
  });
}

function schoolLine(deps: Deps, one: Waiting, today: CalendarDate): Message {
  const { language } = deps.translator;
  const hoursOf = (hundredths: number) => formatHours(fromHundredths(hundredths), language);
  const { school } = one;
  const all = translate(deps, say('weeklyAll', { count: one.count, hours: hoursOf(one.hundredths) }));
  if (one.tooLong === 0) return say('weeklySchool', { school, all });
  return say('weeklyTooLong', {
    school,
    count: one.tooLong,
    hours: hoursOf(one.tooLongHundredths),
    limit: OVERDUE_DAYS,
    days: daysBetween(dayIn(deps.config.timeZone, one.oldestAt), today),
    all,
  });
}
