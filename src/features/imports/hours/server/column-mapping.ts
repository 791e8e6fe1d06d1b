import { type TableRow, unreadable } from '#server/export/read-csv-table.ts';
import { clean, fold } from '#shared/text-normalization.ts';
import { DAY_ORDERS, type ImportColumn, type Layout, messages } from '../contract.ts';
import { readDay } from './cell-parsers.ts';

/** What each column of a file is, by its place; null for one that is not used. */
export type Columns = readonly (ImportColumn | null)[];

/** Names of columns as other programs write them, without case, accents, spaces and punctuation; the likelier first. */
const NAMES: Readonly<Record<ImportColumn, readonly string[]>> = {
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

// Each column stands in the files of one product alone, or in one product's words.
const MARKS: Readonly<Record<Layout, readonly (readonly string[])[]>> = {
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

/** What the columns of a file are by their names: the first of each kind, in the order of the likelier names. */
export function columnsBy(header: readonly string[]): Columns {
  const keys = header.map(keyOf);
  const uses: (ImportColumn | null)[] = header.map(() => null);
  for (const [column, names] of Object.entries(NAMES) as [ImportColumn, readonly string[]][]) {
    const name = names.find((one) => keys.some((key, at) => key === one && uses[at] === null));
    const at = name === undefined ? -1 : keys.findIndex((key, place) => key === name && uses[place] === null);
    if (at >= 0) uses[at] = column;
  }
  // 'Nombre' is a whole name, but beside 'Apellido' a first one.
  const named = uses.indexOf('name');
  if (uses.includes('lastName') && !uses.includes('firstName') && keys[named] === 'nombre') {
    uses[named] = 'firstName';
  }
  return uses;
}

/** The product that a file comes from, by the names of its columns; null when they tell nothing. */
export function layoutOf(header: readonly string[]): Layout | null {
  const keys = new Set(header.map(keyOf));
  const found = (Object.entries(MARKS) as [Layout, readonly (readonly string[])[]][]).find(([, marks]) =>
    marks.some((mark) => mark.every((key) => keys.has(key))),
  );
  return found?.[0] ?? null;
}

/**
 * What columns are still to be named before rows can be read: who, when, and how long. A check-in that says its day names
 * both.
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
      DAY_ORDERS.some((order) => readDay(cells[checkIn] ?? '', order, 'UTC') !== undefined),
    );
  return [
    ...(has('email') || has('name') || (has('firstName') && has('lastName')) ? [] : (['name'] as const)),
    ...(has('activity') ? [] : (['activity'] as const)),
    ...(has('date') || hasDay ? [] : (['date'] as const)),
    ...(has('hours') || (has('checkIn') && has('checkOut')) ? [] : (['hours'] as const)),
  ];
}

/** The columns somebody has chosen: 400 when one is chosen twice. */
export function chosenColumns(header: readonly string[], chosen: Columns): Columns {
  const used = chosen.filter((column) => column !== null);
  if (new Set(used).size < used.length) throw unreadable(messages.columnTwice);
  return header.map((_title, at) => chosen[at] ?? null);
}

/** A title as it is shown. */
export function titleOf(title: string): string {
  return clean(title).slice(0, 100);
}

function keyOf(title: string): string {
  return fold(title).replace(/[^a-z0-9]/g, '');
}
