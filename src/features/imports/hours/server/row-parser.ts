import { messages as entryMessages, HOURS, LIMITS } from '#features/time-entries/contract.ts';
import { emailKey } from '#features/users/contract.ts';
import type { TableRow } from '#server/export/read-csv-table.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { hasAtMostTwoDecimals } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch, normalizeLine, normalizeText, withCodes } from '#shared/text-normalization.ts';
import { type DayOrder, type ImportColumn, messages } from '../contract.ts';
import { hoursBetween, nameKey, type ParsedHours, parseDay, parseHoursCell } from './cell-parsers.ts';
import type { Columns } from './column-mapping.ts';

/** A parsed row. `who` identifies its person in questions: the address, or else the name. */
export type ParsedRow = Readonly<{
  row: number;
  who: string;
  email: string;
  name: string;
  activity: string;
  entryDate: CalendarDate | null;
  hours: number | null;
  notes: string | null;
  /** The reason for leaving out the row: its hours were not approved. */
  leftOut: Message | undefined;
  notices: readonly Message[];
  problems: readonly Message[];
}>;

/** How to read rows: the columns, the order of day and month, today's date and the language. */
export type RowContext = Readonly<{
  columns: Columns;
  dayOrder: DayOrder;
  today: CalendarDate;
  /** The district's time zone, for times with a UTC offset. */
  zone: string;
  language: string;
}>;

/** Parses the cells of a row; unreadable cells become problems of the row. */
export function parseRow({ row, cells }: TableRow, context: RowContext): ParsedRow {
  const { columns } = context;
  const cell = (column: ImportColumn) => {
    const at = columns.indexOf(column);
    return at < 0 ? '' : (column === 'notes' ? normalizeText : normalizeLine)(cells[at] ?? '');
  };
  const problems: Message[] = [];
  if (cells.slice(columns.length).some((extra) => normalizeText(extra) !== ''))
    problems.push(messages.tooManyCells);
  const names = { firstName: cell('firstName'), lastName: cell('lastName') };
  const name = displayName(cell('name') || fullName(names).trim());
  const email = cell('email');
  const who = email === '' ? nameKey(name) : emailKey(email);
  if (who === '') problems.push(messages.noPerson);
  const [checkIn, checkOut] = [cell('checkIn'), cell('checkOut')];
  const entryDate = parseDayCell(columns.includes('date') ? cell('date') : checkIn, context, problems);
  const hoursText = cell('hours');
  const read =
    hoursText === ''
      ? hoursBetween(checkIn, checkOut, context.dayOrder, context.zone)
      : parseHoursCell(hoursText);
  const hours = checkHours(hoursText || [checkIn, checkOut].join(' ').trim(), read, problems);
  const notes = cell('notes') || null;
  if (notes !== null && notes.length > LIMITS.notes) problems.push(entryMessages.notesTooLong);
  const isRounded = read?.isRounded === true && hours !== null;
  return {
    row,
    who: who.slice(0, 600),
    email,
    name,
    activity: cell('activity'),
    entryDate,
    hours,
    notes,
    leftOut: skipReason(cell('status')),
    notices: isRounded ? [messages.hoursRounded(shorten(hoursText), hours, context.language)] : [],
    problems,
  };
}

function displayName(name: string): string {
  const [last = '', first = '', ...rest] = name.split(',');
  return first.trim() === '' || rest.length > 0 ? name : `${first.trim()} ${last.trim()}`;
}

// Status words of other programs for approved hours. An empty cell counts as approved.
const APPROVED =
  /^(?:(?:auto[- ]?)?(?:approved|verified|confirmed|accepted|completed?|validated)(?: hours)?|yes|y|true|1|x|si|aprobad[oa]s?|verificad[oa]s?|confirmad[oa]s?|aceptad[oa]s?)?$/;

function skipReason(status: string): Message | undefined {
  return APPROVED.test(foldForSearch(status)) ? undefined : messages.notApproved(shorten(status));
}

function parseDayCell(
  text: string,
  { dayOrder, today, zone }: RowContext,
  problems: Message[],
): CalendarDate | null {
  const found = parseDay(text, dayOrder, zone);
  if (text === '') problems.push(messages.dateMissing);
  else if (found === undefined) problems.push(messages.dateUnread(shorten(text)));
  else if (found > today) problems.push(entryMessages.future);
  return found ?? null;
}

function checkHours(text: string, read: ParsedHours | undefined, problems: Message[]): number | null {
  if (text === '') problems.push(messages.hoursMissing);
  else if (read === undefined) problems.push(messages.hoursUnread(shorten(text)));
  else if (read.hours < HOURS.min || read.hours > HOURS.max || !hasAtMostTwoDecimals(read.hours)) {
    problems.push(entryMessages.hours);
  }
  return read?.hours ?? null;
}

// Shortens a cell for quoting in a message.
function shorten(text: string): string {
  const readable = withCodes(text);
  return readable.length > 40 ? `${readable.slice(0, 40)}…` : readable;
}
