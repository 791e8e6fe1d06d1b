import { ensureLogAddress } from '#features/activities/log-codes/server/actions.ts';
import { findEditions } from '#features/activities/server/actions.ts';
import { closedBefore } from '#features/schools/closed-period.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { type MessageRecipient, recipientLanguage } from '#server/i18n/recipient-language.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { addDays, type CalendarDate, dayIn, mondayOf } from '#shared/calendar-date.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { REMINDERS } from '../contract.ts';
import { BATCH_SIZE, queueReminderEmails } from './delivery.ts';
import { eventReminderEmail } from './emails.ts';
import { type EndedEvent, findEndedEvents, findLastYearsVolunteers } from './event-store.ts';
import { findEventReminderRecipients } from './preference-store.ts';
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
    const helpers = await findHelpers(deps.database.db, today);
    const ids = [...helpers.keys()].toSorted((a, b) => a - b);
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      if (mustStop()) return false;
      await queueEmails(deps, ids.slice(at, at + BATCH_SIZE), helpers, today);
    }
    return true;
  },
};

type Helpers = ReadonlyMap<number, readonly EndedEvent[]>;

async function findHelpers(db: Db, today: CalendarDate): Promise<Helpers> {
  const helpers = new Map<number, EndedEvent[]>();
  for (const event of await findRecentEvents(db, today)) {
    const closed = closedBefore(event, today);
    if (closed !== null && event.until < closed) continue;
    const ids = await findEditions(db, event.schoolId, event.nameKey);
    for (const userId of await findLastYearsVolunteers(db, event, ids)) {
      helpers.set(userId, [...(helpers.get(userId) ?? []), event]);
    }
  }
  return helpers;
}

async function queueEmails(deps: Deps, ids: readonly number[], helpers: Helpers, today: CalendarDate) {
  const recipients = await findEventReminderRecipients(deps.database.db, ids);
  const due = recipients.flatMap(({ lastEventDay, ...reader }) => {
    const events = (helpers.get(reader.id) ?? []).filter(
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
  const logLinks = await createLogLinks(
    deps,
    due.map(({ events }) => events),
  );
  const names = await namesInLanguages(deps, recipients, today);
  const letters = due.map(({ slot, reader, events }) => {
    const named = names.get(recipientLanguage(deps, reader));
    return {
      slot,
      letter: eventReminderEmail(
        deps,
        reader,
        events.map((event) => named?.get(event.id) ?? event),
        logLinks,
      ),
    };
  });
  await queueReminderEmails(deps, 'event-reminder', letters);
}

// Reads the events again with names in each recipient's language.
async function namesInLanguages(
  deps: Deps,
  recipients: readonly MessageRecipient[],
  today: CalendarDate,
): Promise<ReadonlyMap<Language, ReadonlyMap<number, EndedEvent>>> {
  const named = new Map<Language, ReadonlyMap<number, EndedEvent>>();
  for (const language of new Set(recipients.map((reader) => recipientLanguage(deps, reader)))) {
    const events = await withNameLanguage(language, () => findRecentEvents(deps.database.db, today));
    named.set(language, new Map(events.map((event) => [event.id, event])));
  }
  return named;
}

// Returns today's events and yesterday's.
function findRecentEvents(db: Db, today: CalendarDate): Promise<EndedEvent[]> {
  return findEndedEvents(db, { first: addDays(today, -1), last: today });
}

// Creates links for emails about a single event, whose button opens Log Time with that event.
async function createLogLinks(
  deps: Deps,
  lists: readonly (readonly EndedEvent[])[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(
    lists.flatMap(([first, ...others]) => (first && others.length === 0 ? [first.id] : [])),
  );
  const links = new Map<number, string>();
  for (const id of ids) {
    const { address } = await transaction(deps.database, (trx) => ensureLogAddress(trx, deps, id));
    links.set(id, address);
  }
  return links;
}
