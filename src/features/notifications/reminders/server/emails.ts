import type { Deps } from '#server/deps.ts';
import { type EmailContent, homePage } from '#server/email/email.ts';
import { emailTo } from '#server/email/personal-email.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { type CalendarDate, formatDayLong } from '#shared/calendar-date.ts';
import { formatHours, fromHundredths } from '#shared/hours.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { REMINDERS } from '../contract.ts';
import type texts from '../messages.server.en.json';
import type { EndedEvent } from './event-store.ts';
import type { Reader } from './preference-store.ts';

const say = messageFactory<typeof texts>('reminders');

/** One person's week; hours are in hundredths. */
export type Week = Readonly<{
  from: CalendarDate;
  to: CalendarDate;
  /** Hours by activity, most first; empty if the user wants no summary or logged nothing. */
  logged: readonly Readonly<{ activity: string; school: string; hundredths: number }>[];
  /** The total of the school year. */
  yearHundredths: number;
  /** The highest milestone reached in the week. */
  milestone: Readonly<{ hours: number; words: string }> | undefined;
  decided: readonly Readonly<{ state: string | null; count: number; hundredths: number }>[];
  suggestions: readonly Readonly<{ name: string; school: string; status: string }>[];
}>;

/**
 * The email that asks whether a volunteer helped at events again. `logLinks` contains the URLs that open Log Time with an
 * event.
 */
export function eventReminderEmail(
  deps: Deps,
  reader: Reader,
  events: readonly EndedEvent[],
  logLinks: ReadonlyMap<number, string>,
): EmailContent {
  const [first] = events;
  const { named } = REMINDERS;
  const more = events.length - named;
  const url = first !== undefined && events.length === 1 ? logLinks.get(first.id) : undefined;
  return emailTo(deps, reader, {
    subject:
      first !== undefined && events.length === 1
        ? say('eventSubject', { activity: first.name })
        : say('eventSubjectMany'),
    body: [
      say('eventIntro'),
      ...events.slice(0, named).map(({ name, school }) => say('eventLine', { activity: name, school })),
      ...(more > 0 ? [say('eventMore', { count: more })] : []),
      say('eventAsk'),
    ],
    button: { label: say('eventButton'), url: url ?? homePage(deps) },
    footnotes: [say('eventWhy')],
    stopAt: unsubscribeLink(deps, 'after-events', reader.id),
  });
}

/** The weekly summary of a volunteer's hours and decisions. */
export function weeklySummaryEmail(deps: Deps, reader: Reader, week: Week): EmailContent {
  const { language } = inRecipientLanguage(deps, reader).translator;
  const total = week.logged.reduce((sum, { hundredths }) => sum + hundredths, 0);
  const formatHundredths = (hundredths: number) => formatHours(fromHundredths(hundredths), language);
  return emailTo(deps, reader, {
    subject: total > 0 ? say('weekSubject', { hours: formatHundredths(total) }) : say('decidedSubject'),
    body: [
      ...(total > 0 ? loggedLines(week, total, { language, formatHundredths }) : []),
      ...decisionLines(week, formatHundredths),
    ],
    button: { label: say('weekButton'), url: homePage(deps) },
    footnotes: [say('weekWhy')],
    stopAt: unsubscribeLink(deps, 'on-mondays', reader.id),
  });
}

type FormatHundredths = (hundredths: number) => string;

function loggedLines(
  week: Week,
  total: number,
  { language, formatHundredths }: { language: string; formatHundredths: FormatHundredths },
): Message[] {
  const more = week.logged.length - REMINDERS.named;
  return [
    say('weekThanks', {
      hours: formatHundredths(total),
      from: formatDayLong(week.from, language),
      to: formatDayLong(week.to, language),
    }),
    ...week.logged
      .slice(0, REMINDERS.named)
      .map(({ hundredths, ...line }) => say('weekLine', { ...line, hours: formatHundredths(hundredths) })),
    ...(more > 0 ? [say('weekMore', { count: more })] : []),
    say('weekYear', { hours: formatHundredths(week.yearHundredths) }),
    ...(week.milestone === undefined
      ? []
      : [say('weekMilestone', { milestone: week.milestone.hours, words: week.milestone.words })]),
  ];
}

function decisionLines({ decided: hours, suggestions }: Week, formatHundredths: FormatHundredths): Message[] {
  const lines = [
    ...hours.map(({ state, count, hundredths }) =>
      state === 'verified'
        ? say('decidedVerified', { count, hours: formatHundredths(hundredths) })
        : say('decidedDeclined', { count }),
    ),
    ...suggestions
      .slice(0, REMINDERS.named)
      .map(({ name, school, status }) =>
        say(status === 'approved' ? 'decidedApproved' : 'decidedRejected', { name, school }),
      ),
  ];
  return lines.length === 0 ? [] : [say('decidedIntro'), ...lines];
}
