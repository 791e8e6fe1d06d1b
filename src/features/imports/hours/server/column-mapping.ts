import { type TableRow, unreadableFileError } from '#server/export/read-csv-table.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import { DAY_ORDERS, type ImportColumn, type Layout, messages } from '../contract.ts';
import { parseDay } from './cell-parsers.ts';

/** The use of each column of a file, by position; null for an unused one. */
export type Columns = readonly (ImportColumn | null)[];

/** Column names used by other programs, without case, accents, spaces and punctuation. The most likely name comes first. */
const COLUMN_NAMES: Readonly<Record<ImportColumn, readonly string[]>> = {
  email: [
    'email',
    'emailaddress',
    'mail',
    'volunteeremail',
    'useremail',
    'studentemail',
    'correo',
    'correoelectronico',
  ],
  name: [
    'name',
    'fullname',
    'volunteer',
    'volunteername',
    'student',
    'studentname',
    'person',
    'user',
    'nombrecompleto',
    'voluntario',
    'nombre',
  ],
  firstName: ['firstname', 'first', 'givenname', 'forename', 'studentfirstname', 'volunteerfirstname'],
  lastName: [
    'lastname',
    'last',
    'surname',
    'familyname',
    'studentlastname',
    'volunteerlastname',
    'apellido',
    'apellidos',
  ],
  activity: [
    'activity',
    'activityname',
    'activityproject',
    'project',
    'projectname',
    'opportunity',
    'opportunitytitle',
    'event',
    'task',
    'category',
    'assignment',
    'organization',
    'actividad',
  ],
  date: [
    'date',
    'datevolunteered',
    'activitydate',
    'servicedate',
    'dateofservice',
    'hoursdate',
    'dateworked',
    'day',
    'startdate',
    'fecha',
  ],
  hours: [
    'hours',
    'hoursvolunteered',
    'hoursworked',
    'totalhours',
    'hourslogged',
    'numberofhours',
    'approvedhours',
    'duration',
    'time',
    'horas',
  ],
  checkIn: [
    'checkin',
    'checkintime',
    'checkindatetime',
    'startdatetime',
    'timein',
    'starttime',
    'clockin',
    'start',
    'from',
    'llegada',
    'entrada',
  ],
  checkOut: [
    'checkout',
    'checkouttime',
    'checkoutdatetime',
    'enddatetime',
    'timeout',
    'endtime',
    'clockout',
    'end',
    'to',
    'salida',
  ],
  status: ['status', 'approvalstatus', 'hoursstatus', 'verificationstatus', 'approved', 'verified', 'estado'],
  notes: ['notes', 'note', 'description', 'comments', 'comment', 'details', 'reflection', 'memo', 'notas'],
};

// Each set of column names occurs in the files of only one product.
const LAYOUT_MARKERS: Readonly<Record<Layout, readonly (readonly string[])[]>> = {
  x2vol: [
    ['studentid', 'goal'],
    ['studentname', 'activityproject'],
    ['studentfirstname'],
    ['reflection', 'goal'],
  ],
  betterImpact: [
    ['datevolunteered', 'hoursvolunteered'],
    ['hoursvolunteered', 'activitycategory'],
    ['hoursworked', 'activitycategory'],
  ],
  trackItForward: [['datevolunteered', 'hours'], ['volunteername', 'hours', 'status'], ['organizeronly']],
};

const SAMPLED = 50;

/** Guesses the use of each column from its name. Each use is assigned once, to the column with its most likely name. */
export function guessColumns(header: readonly string[]): Columns {
  const keys = header.map(columnKey);
  const uses: (ImportColumn | null)[] = header.map(() => null);
  for (const [column, names] of Object.entries(COLUMN_NAMES) as [ImportColumn, readonly string[]][]) {
    const name = names.find((one) => keys.some((key, at) => key === one && uses[at] === null));
    const at = name === undefined ? -1 : keys.findIndex((key, place) => key === name && uses[place] === null);
    if (at >= 0) uses[at] = column;
  }
  // 'Nombre' is a full name, but next to 'Apellido' a first name.
  const named = uses.indexOf('name');
  if (uses.includes('lastName') && !uses.includes('firstName') && keys[named] === 'nombre') {
    uses[named] = 'firstName';
  }
  return uses;
}

/** The product behind a file, recognized by its column names; null if unknown. */
export function detectLayout(header: readonly string[]): Layout | null {
  const keys = new Set(header.map(columnKey));
  const found = (Object.entries(LAYOUT_MARKERS) as [Layout, readonly (readonly string[])[]][]).find(
    ([, marks]) => marks.some((mark) => mark.every((key) => keys.has(key))),
  );
  return found?.[0] ?? null;
}

/**
 * Returns the uses that are still missing before rows can be read: person, day and hours. A check-in with a day provides day
 * and start.
 */
export function findMissingColumns(
  columns: Columns,
  rows: readonly Pick<TableRow, 'cells'>[],
): ImportColumn[] {
  const has = (column: ImportColumn) => columns.includes(column);
  const checkIn = columns.indexOf('checkIn');
  const hasDay = rows
    .slice(0, SAMPLED)
    .some(({ cells }) =>
      DAY_ORDERS.some((order) => parseDay(cells[checkIn] ?? '', order, 'UTC') !== undefined),
    );
  return [
    ...(has('email') || has('name') || (has('firstName') && has('lastName')) ? [] : (['name'] as const)),
    ...(has('activity') ? [] : (['activity'] as const)),
    ...(has('date') || hasDay ? [] : (['date'] as const)),
    ...(has('hours') || (has('checkIn') && has('checkOut')) ? [] : (['hours'] as const)),
  ];
}

/** The importer's choice of columns: 400 when a use is chosen twice. */
export function applyChosenColumns(header: readonly string[], chosen: Columns): Columns {
  const used = chosen.filter((column) => column !== null);
  if (new Set(used).size < used.length) throw unreadableFileError(messages.columnTwice);
  return header.map((_title, at) => chosen[at] ?? null);
}

/** A column title for display. */
export function displayTitle(title: string): string {
  return normalizeText(title).slice(0, 100);
}

function columnKey(title: string): string {
  return foldForSearch(title).replace(/[^a-z0-9]/g, '');
}
