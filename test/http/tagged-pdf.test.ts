import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { addDays, day } from '#shared/calendar-date.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp, TODAY } from '#test/harness.ts';
import { findPdfUaViolations } from '#test/pdf-ua.ts';
import { multipart } from '#test/upload.ts';
import { phonePhoto } from '../images/draw-image.ts';

const PERIOD = { startDate: '2025-07-01', endDate: '2026-06-30' };

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let vera: Awaited<ReturnType<typeof aPerson>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let pat: Awaited<ReturnType<typeof aPerson>>;
let fair: Awaited<ReturnType<typeof anActivity>>;

beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example' });
  ada = await anAdministrator(app);
  lincoln = await aSchool(app, { name: 'Lincoln' });
  const maple = await aSchool(app, { name: 'Maple' });
  vera = await aPerson(app, { schools: [lincoln, maple], firstName: 'Vera', lastName: 'Ruiz' });
  pat = await aPerson(app, { schools: [lincoln] });
  const category = await aCategory(app, { school: lincoln, name: 'Events' });
  fair = await anActivity(app, { school: lincoln, category, name: 'Book fair' });
  await anEntry(app, { by: vera, activity: fair, hours: 2.25, date: '2026-03-01' });
  await anEntry(app, { by: pat, activity: fair, date: '2026-03-01' });
  // Enough activities for every file to have more than one page.
  for (let at = 0; at < 60; at++) {
    const activity = await anActivity(app, { school: maple, name: `Morning watch at gate ${at}` });
    await anEntry(app, { by: vera, activity, hours: 1, date: addDays(day('2025-10-01'), at) });
  }
  const logo = await multipart('logo', [{ name: 'a.jpg', content: await phonePhoto(80, 80) }]);
  await app.call('POST /api/admin/settings/logo', { token: ada.token, ...logo });
});

async function bytesOf(call: string, options: { token?: string; body?: object }, language: Language) {
  const [method = '', path = ''] = call.split(' ');
  const { token, body } = options;
  const reply = await app.app.inject({
    method: method as 'GET' | 'POST',
    url: path,
    headers: {
      'accept-language': language,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  expect(reply.statusCode, reply.body.slice(0, 300)).toBeLessThan(300);
  return reply;
}

/** Asks for a link to a file, and opens it. */
async function linked(call: string, token: string, body: object, language: Language): Promise<Buffer> {
  // The file before is noted as made just after its last byte.
  const asked = await vi.waitFor(() => bytesOf(call, { token, body }, language), { timeout: 10_000 });
  return (await bytesOf(`GET ${asked.json().url}`, {}, language)).rawPayload;
}

const letter = (language: Language, more: object = {}) => ({
  ...PERIOD,
  endDate: TODAY,
  schoolId: null,
  withDates: false,
  language,
  ...more,
});
const sheet = (people: string) => ({ date: TODAY, people, blankLines: 40, paper: 'letter' });
const sheetOf = () => `POST /api/admin/activities/${fair.id}/sign-in-sheet`;
const zipped = (bytes: Buffer) => Object.values(unzipSync(new Uint8Array(bytes))).map(Buffer.from);
const one = async (bytes: Promise<{ rawPayload: Buffer }>) => [(await bytes).rawPayload];

/** Every PDF that the product makes, in each of its forms. */
const DOCUMENTS: Readonly<Record<string, (language: Language) => Promise<readonly Buffer[]>>> = {
  'a statement of hours': (language) =>
    one(bytesOf('POST /api/reports/statement', { token: vera.token, body: PERIOD }, language)),
  'a statement without hours': (language) =>
    one(
      bytesOf(
        'POST /api/reports/statement',
        { token: vera.token, body: { endDate: '2020-01-01' } },
        language,
      ),
    ),
  'a summary for the board': (language) =>
    one(bytesOf('POST /api/admin/reports/summary', { token: ada.token, body: PERIOD }, language)),
  'a summary of one school': (language) =>
    one(
      bytesOf(
        'POST /api/admin/reports/summary',
        { token: ada.token, body: { ...PERIOD, schoolId: lincoln.id } },
        language,
      ),
    ),
  'a service letter': async (language) => [
    await linked('POST /api/reports/letters', vera.token, letter(language), language),
  ],
  'a service letter with each date': async (language) => [
    await linked('POST /api/reports/letters', vera.token, letter(language, { withDates: true }), language),
  ],
  'letters of a school in one file': async (language) => [
    await linked(
      'POST /api/reports/letter-files',
      ada.token,
      letter(language, { schoolId: lincoln.id, userIds: [vera.id, pat.id], form: 'pdf' }),
      language,
    ),
  ],
  'letters of a school in a file each': async (language) =>
    zipped(
      await linked(
        'POST /api/reports/letter-files',
        ada.token,
        letter(language, { schoolId: lincoln.id, userIds: [vera.id, pat.id], form: 'zip' }),
        language,
      ),
    ),
  'a sign-in sheet with blank lines': async (language) => [
    await linked(sheetOf(), ada.token, sheet('nobody'), language),
  ],
  'a sign-in sheet with names': async (language) => [
    await linked(sheetOf(), ada.token, sheet('members'), language),
  ],
};

describe('conformance to PDF/UA-1, as far as a program can check', () => {
  const cases = Object.keys(DOCUMENTS).flatMap((what) =>
    LANGUAGES.map((language) => [what, language] as const),
  );

  test.each(cases)('is achieved by %s in %s', async (what, language) => {
    const files = (await DOCUMENTS[what]?.(language)) ?? [];
    expect(files.length).toBeGreaterThan(0);
    for (const bytes of files) {
      expect(findPdfUaViolations(bytes)).toEqual([]);
      expect(bytes.toString('latin1')).toMatch(new RegExp(`/Lang \\(${language}`));
    }
  });

  test('is tested for all three kinds of PDF document', () => {
    const kinds = readFileSync('src/server/pdf/report-workers.ts', 'utf8').match(
      /kind: '[a-z-]+'; \w+: Pdf\w+/g,
    );
    expect(kinds).toEqual([
      "kind: 'pdf'; document: PdfContent",
      "kind: 'letters'; letters: PdfLetters",
      "kind: 'sign-in-sheet'; sheet: PdfSignInSheet",
    ]);
  });
});
