import type { CalendarDate } from '#base/calendar-date.ts';
import { formatHours, hasAtMostTwoDecimals } from '#base/hours.ts';
import type { Message } from '#base/message.ts';
import { fullName } from '#base/person-name.ts';
import { clean, cleanLine } from '#base/text.ts';
import { messages as entryMessages, HOURS, LIMITS } from '#rooms/time-entries/contract.ts';
import { emailKey } from '#rooms/users/contract.ts';
import type { TableRow } from '#server/csv/read-table.ts';
import { type DayOrder, type ImportColumn, messages } from '../contract.ts';
import { hoursBetween, nameKey, type ReadHours, readDay, readHours } from './cells.ts';
import type { Columns } from './columns.ts';

/** A row as it was read. `who` is what its person is asked by: the address, or else the name. */
export type ReadRow = Readonly<{
  row: number;
  who: string;
  email: string;
  name: string;
  activity: string;
  entryDate: CalendarDate | null;
  hours: number | null;
  notes: string | null;
  notices: readonly Message[];
  problems: readonly Message[];
}>;

/** How rows are read: what the columns are, which way days are written, and which day and language it is here. */
export type Reading = Readonly<{
  columns: Columns;
  dayOrder: DayOrder;
  today: CalendarDate;
  language: string;
}>;

/** Reads the cells of a row; what cannot be read is a problem of the row. */
export function readRow({ row, cells }: TableRow, reading: Reading): ReadRow {
  const { columns } = reading;
  const cell = (column: ImportColumn) => {
    const at = columns.indexOf(column);
    return at < 0 ? '' : (column === 'notes' ? clean : cleanLine)(cells[at] ?? '');
  };
  const problems: Message[] = [];
  if (cells.slice(columns.length).some((extra) => clean(extra) !== '')) problems.push(messages.tooManyCells);
  const names = { firstName: cell('firstName'), lastName: cell('lastName') };
  const name = nameShown(cell('name') || fullName(names).trim());
  const email = cell('email');
  const who = email === '' ? nameKey(name) : emailKey(email);
  if (who === '') problems.push(messages.noPerson);
  const entryDate = dayIn(cell('date'), reading, problems);
  const said = cell('hours');
  const read = said === '' ? hoursBetween(cell('checkIn'), cell('checkOut')) : readHours(said);
  const hours = hoursIn(said || [cell('checkIn'), cell('checkOut')].join(' ').trim(), read, problems);
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
    notices: isRounded ? [messages.hoursRounded(cut(said), formatHours(hours, reading.language))] : [],
    problems,
  };
}

function nameShown(name: string): string {
  const [last = '', first = '', ...rest] = name.split(',');
  return first.trim() === '' || rest.length > 0 ? name : `${first.trim()} ${last.trim()}`;
}

function dayIn(text: string, { dayOrder, today }: Reading, problems: Message[]): CalendarDate | null {
  const found = readDay(text, dayOrder);
  if (text === '') problems.push(messages.dateMissing);
  else if (found === undefined) problems.push(messages.dateUnread(cut(text)));
  else if (found > today) problems.push(entryMessages.future);
  return found ?? null;
}

function hoursIn(text: string, read: ReadHours | undefined, problems: Message[]): number | null {
  if (text === '') problems.push(messages.hoursMissing);
  else if (read === undefined) problems.push(messages.hoursUnread(cut(text)));
  else if (read.hours < HOURS.min || read.hours > HOURS.max || !hasAtMostTwoDecimals(read.hours)) {
    problems.push(entryMessages.hours);
  }
  return read?.hours ?? null;
}

// What is quoted in a sentence.
function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
