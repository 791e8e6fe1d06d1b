import { expect, test } from 'vitest';
import en from '../../messages.staff.en.json' with { type: 'json' };
import es from '../../messages.staff.es.json' with { type: 'json' };
import { parsePastedActivities, parsePastedDay, toBulkActivity } from './pasted-activities.ts';

const read = (text: string) =>
  parsePastedActivities(text).rows.map(({ name, category, from, until }) =>
    [name, category, from, until].join('|'),
  );

test('a pasted list has one name per line, with optional list markers and category headings', () => {
  expect(read('Book fair\r\n\r\n- Cookies, cakes and more\n2. Zoo; the big one\n')).toEqual([
    'Book fair|||',
    'Cookies, cakes and more|||',
    'Zoo; the big one|||',
  ]);
  expect(read('Events:\n• Fair\nClassroom:\nReading')).toEqual(['Fair|Events||', 'Reading|Classroom||']);
});

test.each([
  ['tabs', '\t'],
  ['commas', ','],
  ['semicolons', ';'],
])('pasted columns separated by %s are matched to their headings, in any order', (_what, sign) => {
  const text = [
    ['Start Date', 'Activity', 'End date', 'Budget', 'Category'],
    ['3/6/2026', '"Fair, the ""big"" one;\tours"', '3/7/2026', '100', 'Events'],
    ['', '', '', '', ''],
    ['', 'Reading', '', '', 'Classroom'],
  ]
    .map((cells) => cells.join(sign))
    .join('\r\n');
  expect(read(text)).toEqual([
    'Fair, the "big" one;\tours|Events|2026-03-06|2026-03-07',
    'Reading|Classroom||',
  ]);
  expect(parsePastedActivities(text).unused).toEqual(['Budget']);
});

test('a pasted row without headings is read as name, category, first and last day, description', () => {
  expect(parsePastedActivities('Fair\tEvents\t2026-03-06\t\tBring boxes').rows).toEqual([
    {
      id: 0,
      name: 'Fair',
      category: 'Events',
      from: '2026-03-06',
      until: '',
      description: 'Bring boxes',
      prompt: '',
    },
  ]);
});

test.each([en, es])('the headings and dates of the example on the screen are recognized', (t) => {
  const heads = [
    t.severalSampleName,
    t.severalSampleCategory,
    t.severalSampleFrom,
    t.severalSampleUntil,
    t.severalSampleDescription,
    t.severalSampleYearLong,
  ];
  const days = [t.severalSampleFirstDay, t.severalSampleLastDay];
  const text = [heads, ['Fair', 'Events', ...days], ['Reading', 'Classroom', '', '', '', t.severalSampleYes]]
    .map((cells) => cells.join('\t'))
    .join('\n');
  const { rows, unused } = parsePastedActivities(text);
  expect(unused).toEqual([]);
  expect(rows).toMatchObject([
    { name: 'Fair', category: 'Events', from: '2026-03-06', until: '2026-03-07' },
    { name: 'Reading', category: 'Classroom', from: '', until: '' },
  ]);
});

test('a pasted table may have Spanish headings and dates', () => {
  const text =
    'Actividad;Categoría;Desde;Hasta;Todo el año\nFeria;Eventos;6 dic 2026;;\nHuerto;Otros;6 dic 2026;;Sí';
  expect(read(text)).toEqual(['Feria|Eventos|2026-12-06|', 'Huerto|Otros||']);
});

test('a year-long activity loses its dates, and a prompt makes its description required', () => {
  const [row] = parsePastedActivities(
    'name,year-long,from,prompt\nGarden,Yes,3/6/2026,what you planted',
  ).rows;
  expect(row && toBulkActivity(row, 'Grounds')).toEqual({
    name: 'Garden',
    category: 'Grounds',
    description: '',
    activeFrom: '',
    activeUntil: '',
    requiresDescription: true,
    descriptionPrompt: 'what you planted',
  });
});

test.each([
  ['', 0],
  ['\n\n', 0],
  ['\t\t\t', 0],
  ['"', 1],
  ['name', 0],
  ['name,', 0],
  ['"never closed, and\nfurther', 2],
])('the pasted text %j is read as %i rows', (text, count) => {
  expect(parsePastedActivities(text).rows).toHaveLength(count);
});

test.each([
  ['2026-03-06', '2026-03-06'],
  ['3/6/2026', '2026-03-06'],
  ['03/06/26', '2026-03-06'],
  ['13/6/2026', '2026-06-13'],
  ['6.3.2026', '2026-03-06'],
  ['Mar 6, 2026', '2026-03-06'],
  ['March 6th, 2026', '2026-03-06'],
  ['6 March 2026', '2026-03-06'],
  ['Friday, March 6, 2026', '2026-03-06'],
  ['6 de enero de 2026', '2026-01-06'],
  ['viernes, 6 de marzo de 2026', '2026-03-06'],
  ['2/30/2026', '2/30/2026'],
  ['soon', 'soon'],
  ['Marching 2026', 'Marching 2026'],
])('the pasted date %j is read as %j', (text, day) => {
  expect(parsePastedDay(text)).toBe(day);
});

test.each(['Name in Spanish', 'Spanish name', 'Nombre en español'])(
  'a pasted column named %s is read as the Spanish name',
  (head) => {
    const { rows, unused } = parsePastedActivities(`Name,${head}\nBook fair,Feria del libro\nBake sale,\n`);
    expect([unused, rows.map((row) => toBulkActivity(row, 'Events').translations)]).toEqual([
      [],
      [{ es: { name: 'Feria del libro' } }, undefined],
    ]);
  },
);
