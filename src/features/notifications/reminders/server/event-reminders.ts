import { logAddressOf } from '#features/activities/log-codes/server/actions.ts';
import { withoutYear } from '#features/activities/server/actions.ts';
import { closedBefore } from '#features/schools/closed-period.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { type MessageRecipient, recipientLanguage } from '#server/i18n/recipient-language.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { addDays, type CalendarDate, dayIn, mondayOf } from '#shared/calendar-date.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { REMINDERS } from '../contract.ts';
import { AT_ONCE, queueReminderEmails } from './delivery.ts';
import { eventReminderEmail } from './emails.ts';
import { activityNames, type EndedEvent, findEndedEvents, findLastYearsVolunteers } from './event-store.ts';
import { eventReminderRecipients } from './preference-store.ts';
import { sendsMail } from './preferences.ts';

/**
 * On the evening of an event's last day, asks volunteers who helped last year and opted in whether they helped again. Also
 * covers events of the day before, in case no server ran that evening.
 */
export const eventReminderJob: DailyJob = {
  name: 'event-reminders',
  fromHour: REMINDERS.eveningHour,
  runLong: async (deps, mustStop) => {
    if (!sendsMail(deps)) return true;
    const today = dayIn(deps.config.timeZone, deps.clock.now());
    const helped = await whoHelped(deps.database.db, today);
    const ids = [...helped.keys()].toSorted((a, b) => a - b);
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      if (mustStop()) return false;
      await writeTo(deps, ids.slice(at, at + AT_ONCE), helped, today);
    }
    return true;
  },
};

type Helped = ReadonlyMap<number, readonly EndedEvent[]>;

async function whoHelped(db: Db, today: CalendarDate): Promise<Helped> {
  const helped = new Map<number, EndedEvent[]>();
  for (const event of await lately(db, today)) {
    const closed = closedBefore(event, today);
    if (closed !== null && event.until < closed) continue;
    const named = (await activityNames(db, event.schoolId)).filter(
      ({ nameKey }) => withoutYear(nameKey) === withoutYear(event.nameKey),
    );
    const ids = named.map(({ id }) => id);
    for (const userId of await findLastYearsVolunteers(db, event, ids)) {
      helped.set(userId, [...(helped.get(userId) ?? []), event]);
    }
  }
  return helped;
}

async function writeTo(deps: Deps, ids: readonly number[], helped: Helped, today: CalendarDate) {
  const readers = await eventReminderRecipients(deps.database.db, ids);
  const due = readers.flatMap(({ lastEventDay, ...reader }) => {
    const events = (helped.get(reader.id) ?? []).filter(
      ({ until }) => lastEventDay === null || until > lastEventDay,
    );
    const eventDay = events
      .map(({ until }) => until)
      .toSorted()
      .at(-1);
    if (eventDay === undefined) return [];
    const slot = { userId: reader.id, monday: mondayOf(today), eventDay };
    return [{ slot, reader, events }];
  });
  const opening = await addressesOf(
    deps,
    due.map(({ events }) => events),
  );
  const names = await namesInLanguages(deps, readers, today);
  const letters = due.map(({ slot, reader, events }) => {
    const named = names.get(recipientLanguage(deps, reader));
    return {
      slot,
      letter: eventReminderEmail(
        deps,
        reader,
        events.map((event) => named?.get(event.id) ?? event),
        opening,
      ),
    };
  });
  await queueReminderEmails(deps, 'event-reminder', letters);
}

// Reads the events again with names in each recipient's language.
async function namesInLanguages(
  deps: Deps,
  readers: readonly MessageRecipient[],
  today: CalendarDate,
): Promise<ReadonlyMap<Language, ReadonlyMap<number, EndedEvent>>> {
  const named = new Map<Language, ReadonlyMap<number, EndedEvent>>();
  for (const language of new Set(readers.map((reader) => recipientLanguage(deps, reader)))) {
    const events = await withNameLanguage(language, () => lately(deps.database.db, today));
    named.set(language, new Map(events.map((event) => [event.id, event])));
  }
  return named;
}

// The events of the day before too.
function lately(db: Db, today: CalendarDate): Promise<EndedEvent[]> {
  return findEndedEvents(db, { first: addDays(today, -1), last: today });
}

// The button of an email about one event opens Log Time with that event.
async function addressesOf(
  deps: Deps,
  lists: readonly (readonly EndedEvent[])[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(
    lists.flatMap(([first, ...others]) => (first && others.length === 0 ? [first.id] : [])),
  );
  const addresses = new Map<number, string>();
  for (const id of ids) {
    const { address } = await transaction(deps.database, (trx) => logAddressOf(trx, deps, id));
    addresses.set(id, address);
  }
  return addresses;
}
