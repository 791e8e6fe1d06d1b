import { describe, expect, test } from 'vitest';
import { aHolder, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, TODAY } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';

const app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example' });
const ada = await anAdministrator(app);

const PERIOD = { startDate: '2026-01-01', endDate: TODAY };
const ASKED = { ...PERIOD, schoolId: null, withDates: false, language: 'en' };

/** Somebody with three hours at a school, on two days. */
async function aVolunteer(given: { firstName?: string; lastName?: string } = {}) {
  const school = await aSchool(app, {});
  const person = await aPerson(app, { schools: [school], ...given });
  const activity = await anActivity(app, { school, name: 'Book fair' });
  const first = await anEntry(app, { by: person, activity, hours: 1.25, date: '2026-03-01' });
  await anEntry(app, { by: person, activity, hours: 1.75, date: '2026-03-02' });
  return { school, person, activity, first };
}

const issue = (token: string, body: object = {}) =>
  app.call('POST /api/reports/letters', { token, body: { ...ASKED, ...body } });
const check = (code: string, lastName: string, from?: string) =>
  app.call('POST /api/letters/check', { body: { code, lastName }, ...(from === undefined ? {} : { from }) });

async function pdfOf(url: string) {
  const reply = await app.app.inject({ method: 'GET', url });
  expect(reply.statusCode).toBe(200);
  return { reply, pdf: readPdf(reply.rawPayload) };
}

const wordsOf = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('a letter', () => {
  test('about own hours says who, where, when and how long, and carries a code that anyone can check', async () => {
    const { person, school } = await aVolunteer({ firstName: 'Élodie', lastName: 'Nuñez Park' });
    const asked = await issue(person.token);
    expect(asked.status).toBe(201);
    expect(asked.body.letter).toEqual({
      id: expect.any(Number),
      code: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{2}$/),
      school: null,
      ...PERIOD,
      withDates: false,
      language: 'en',
      hours: 3,
      isVerifiedOnly: false,
      issuedOn: TODAY,
      withdrawnAt: null,
    });
    const { reply, pdf } = await pdfOf(asked.body.url);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
    const text = wordsOf(pdf.text);
    const { code } = asked.body.letter;
    for (const words of [
      'Élodie Nuñez Park',
      'Maple Grove Schools',
      'Book fair',
      '3 hours',
      `Code: ${code}`,
      'https://hours.maplegrove.example',
      'Issued on Mar 4, 2026',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('Mar 2, 2026 Book fair');
    const checked = await check(code.toLowerCase().replaceAll('-', ' '), ' nunezpark ');
    expect([checked.status, checked.body]).toEqual([
      200,
      {
        status: 'valid',
        person: 'Élodie Nuñez Park',
        school: null,
        district: 'Maple Grove Schools',
        ...PERIOD,
        hours: 3,
        hoursNow: 3,
        isVerifiedOnly: false,
        issuedOn: TODAY,
      },
    ]);
    expect(school.name).toBeTruthy();
  });
});
void [aHolder, ada];
