import { isCalendarDate } from '#shared/calendar-date.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import { cellsOf } from '#web/forms/pasted-cells.ts';
import type { BulkActivity } from '../contract.ts';

/** The fields of a copied activity that a pasted list has no columns for. */
type More = Pick<BulkActivity, 'isActive' | 'verifiedBy' | 'outsideVerifier' | 'translations'>;

/** A row of the list. Days are 'YYYY-MM-DD', or the original text if it is not a day. */
export type ListRow = Readonly<{
  id: number;
  name: string;
  category: string;
  description: string;
  from: string;
  until: string;
  /** The question volunteers answer when they log hours; empty for none. */
  prompt: string;
  more?: More;
}>;

/** The rows of a pasted list, and the headings of unknown columns. */
export type ParsedList = Readonly<{ rows: readonly ListRow[]; unused: readonly string[] }>;

const COLUMNS = [
  'name',
  'category',
  'from',
  'until',
  'description',
  'yearLong',
  'prompt',
  'spanish',
] as const;
type Column = (typeof COLUMNS)[number];

// Column headings that other programs use in English and Spanish, without case, accents, spaces and punctuation.
const HEADERS: Readonly<Record<Column, readonly string[]>> = {
  name: ['name', 'activity', 'activityname', 'title', 'event', 'eventname', 'nombre', 'actividad'],
  category: ['category', 'categoryname', 'type', 'group', 'categoria'],
  from: [
    'from',
    'start',
    'startdate',
    'starts',
    'date',
    'day',
    'activefrom',
    'desde',
    'fecha',
    'fechadeinicio',
  ],
  until: ['until', 'end', 'enddate', 'ends', 'to', 'activeuntil', 'hasta', 'fechadefin'],
  description: ['description', 'details', 'notes', 'descripcion', 'notas'],
  yearLong: ['yearlong', 'yearlongactivity', 'ongoing', 'allyear', 'todoelano'],
  spanish: ['spanish', 'spanishname', 'nameinspanish', 'espanol', 'nombreespanol', 'nombreenespanol'],
  prompt: ['prompt', 'descriptionprompt', 'question', 'pregunta', 'quesepidedescribir'],
};

const YES = ['yes', 'y', 'x', 'true', '1', 'si'];

/**
 * Parses a list: spreadsheet rows (tabs), a CSV file with a header row, or one name per line, where a line that ends
 * with a colon is the category of the lines below it.
 */
export function parsePastedActivities(text: string): ParsedList {
  const whole = text.replace(/^\uFEFF/, '').replace(/^sep=[,;\t]\r?\n/i, '');
  const [first = ''] = whole.trimStart().split(/\r\n|\r|\n/);
  const delimiter = [';', ',', '\t'].find((sign) => findHeaders(cellsOf(first, sign)[0] ?? []) !== undefined);
  if (delimiter !== undefined) return parseTable(cellsOf(whole, delimiter));
  return whole.includes('\t') ? parseTable(cellsOf(whole, '\t')) : parseLines(whole);
}

/**
 * Parses a day such as '2026-03-06', '3/6/2026', '6.3.2026', 'Mar 6, 2026' or '6 de marzo de 2026'. Returns other text
 * unchanged.
 */
export function parsePastedDay(text: string): string {
  const written = text.trim();
  if (isCalendarDate(written)) return written;
  const [, one = '', sign, two = '', year = ''] =
    /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(written) ?? [];
  if (sign !== undefined) {
    const isDayFirst = sign === '.' || Number(one) > 12;
    return dayOf(year, isDayFirst ? two : one, isDayFirst ? one : two) ?? written;
  }
  const words = foldForSearch(written)
    .replace(/(\d)(st|nd|rd|th)\b/, '$1')
    .replace(SPANISH_DAY, '')
    .replace(/ de /g, ' ');
  const [, before, after, month = '', last, ended = ''] =
    /^(?:(\d{1,2})[ .-]+)?(?:[a-z]+day,? )?(?:(\d{1,2})[ .-]+)?([a-z]{3})[a-z]*[ .-]*(\d{1,2})?,?[ -]+(\d{4})$/.exec(
      words,
    ) ?? [];
  const number = MONTHS.findIndex((names) => names.includes(month)) + 1;
  return number === 0 ? written : (dayOf(ended, String(number), before ?? after ?? last ?? '') ?? written);
}

/** Converts a row to the fields of the request. `category` is the default for rows that name none. */
export function toBulkActivity({ more, ...row }: ListRow, category: string) {
  return {
    name: row.name,
    category: row.category.trim() === '' ? category : row.category,
    description: row.description,
    activeFrom: row.from,
    activeUntil: row.until,
    requiresDescription: row.prompt.trim() !== '',
    descriptionPrompt: row.prompt,
    ...more,
  };
}

const SPANISH_DAY = /^(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo),? /;
const MONTHS = [
  ['jan', 'ene'],
  ['feb'],
  ['mar'],
  ['apr', 'abr'],
  ['may'],
  ['jun'],
  ['jul'],
  ['aug', 'ago'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dec', 'dic'],
];

function dayOf(year: string, month: string, day: string): string | undefined {
  const whole = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(whole) ? whole : undefined;
}

function parseLines(text: string): ParsedList {
  const rows: ListRow[] = [];
  let category = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    // Lines pasted from an email may begin with a dash, a bullet or a number.
    const name = normalizeText(line).replace(/^(?:[-*•–]|\d{1,3}[.)])\s+/, '');
    if (name.endsWith(':')) category = name.slice(0, -1).trim();
    else if (name !== '') rows.push({ ...EMPTY_ROW, id: rows.length, name, category });
  }
  return { rows, unused: [] };
}

function parseTable(table: readonly (readonly string[])[]): ParsedList {
  const [first = [], ...rest] = table;
  const headers = findHeaders(first);
  const columns = headers ?? new Map(COLUMNS.slice(0, 5).map((column, at) => [column, at] as const));
  const rows = (headers === undefined ? table : rest).map((cells, id): ListRow => {
    const cell = (column: Column) => normalizeText(cells[columns.get(column) ?? cells.length] ?? '');
    const isYearLong = YES.includes(foldForSearch(cell('yearLong')));
    return {
      id,
      name: cell('name'),
      category: cell('category'),
      description: cell('description'),
      from: isYearLong ? '' : parsePastedDay(cell('from')),
      until: isYearLong ? '' : parsePastedDay(cell('until')),
      prompt: cell('prompt'),
      ...(cell('spanish') === '' ? {} : { more: { translations: { es: { name: cell('spanish') } } } }),
    };
  });
  const used = new Set(columns.values());
  const unused =
    headers === undefined ? [] : first.filter((head, at) => !used.has(at) && normalizeText(head) !== '');
  return { rows, unused };
}

// Returns the position of each known column, or undefined if the row is not a header row.
function findHeaders(cells: readonly string[]): ReadonlyMap<Column, number> | undefined {
  const columns = new Map<Column, number>();
  for (const [at, cell] of cells.entries()) {
    const head = foldForSearch(cell).replace(/[^a-z0-9]/g, '');
    const column = COLUMNS.find((one) => HEADERS[one].includes(head));
    if (column !== undefined && !columns.has(column)) columns.set(column, at);
  }
  return columns.has('name') && (columns.size > 1 || cells.length === 1) ? columns : undefined;
}

/** The default fields of a row that has only a name. */
export const EMPTY_ROW = { category: '', description: '', from: '', until: '', prompt: '' } as const;
