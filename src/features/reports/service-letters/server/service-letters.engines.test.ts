import { randomBytes } from 'node:crypto';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readCode } from '#shared/short-code.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aSchool,
  editOf,
} from '#test/builders.ts';
import { NOW, startApp, TODAY } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { readPdf } from '#test/pdf.ts';
import { multipart } from '#test/upload.ts';
import type { Letter } from '../contract.ts';

const app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example' });
const { db } = app.deps.database;
const ada = await anAdministrator(app);

const PERIOD = { startDate: '2026-01-01', endDate: TODAY };
const ASKED = { ...PERIOD, schoolId: null, withDates: false, language: 'en' };
const WRONG = { error: 'No letter matches this code and last name. Check both and try again.' };

/** A volunteer with three hours at a school, on two days. */
async function aVolunteer(given: { firstName?: string; lastName?: string; school?: { id: number } } = {}) {
  const school = given.school ?? (await aSchool(app, {}));
  const person = await aPerson(app, { schools: [school], ...given });
  const activity = await anActivity(app, { school, name: 'Book fair' });
  const first = await anEntry(app, { by: person, activity, hours: 1.25, date: '2026-03-01' });
  await anEntry(app, { by: person, activity, hours: 1.75, date: '2026-03-02' });
  return { school, person, activity, first };
}

const issue = (token: string, body: object = {}) =>
  app.call('POST /api/reports/letters', { token, body: { ...ASKED, ...body } });
let addresses = 0;
/** A check from an address without earlier checks, unless one is given. */
const check = (code: string, lastName: string, from = `203.0.113.${++addresses % 250}`) =>
  app.call('POST /api/letters/check', { body: { code, lastName }, from });

async function pdfOf(url: string) {
  const reply = await app.app.inject({ method: 'GET', url });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf']);
  return { reply, ...readPdf(reply.rawPayload), words: wordsOf(readPdf(reply.rawPayload).text) };
}

const wordsOf = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('service letter', () => {
  test("states the viewer's own hours and has a code that anyone can check", async () => {
    const { person } = await aVolunteer({ firstName: 'Élodie', lastName: 'Nuñez Park' });
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
      hoursNow: 3,
      hasChanged: false,
      isRenamed: false,
    });
    const { reply, words } = await pdfOf(asked.body.url);
    const { code } = asked.body.letter;
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="nunez-park-elodie_${code.toLowerCase()}.pdf"`,
    });
    for (const said of [
      'Élodie Nuñez Park volunteered 3 hours at the schools of Maple Grove Schools',
      'from January 1, 2026 to March 4, 2026',
      'Book fair',
      `Code: ${code}`,
      'https://hours.maplegrove.example',
      'Issued on March 4, 2026',
      'Signature Name and title',
    ]) {
      expect(words).toContain(said);
    }
    expect(words).not.toContain('Mar 2, 2026');
    const checked = await check(code, 'Nuñez Park');
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
  });

  test("contains the school's signer, text and logo, in Spanish and with dates if requested", async () => {
    const { person, school } = await aVolunteer({ firstName: 'Ana', lastName: 'Lee' });
    const letter = {
      signerName: 'Grace Hopper',
      signerTitle: 'Principal',
      wording: 'With thanks to {name} of {school}: {hours}.',
    };
    const saved = await app.call(`PUT /api/admin/schools/${school.id}`, {
      token: ada.token,
      body: { letter },
    });
    expect([saved.status, saved.body.school.letter]).toEqual([200, letter]);
    const logo = await multipart('logo', [{ name: 'a.jpg', content: await phonePhoto(80, 80) }]);
    await app.call(`POST /api/admin/schools/${school.id}/logo`, { token: ada.token, ...logo });
    const asked = await issue(person.token, { schoolId: school.id, language: 'es', withDates: true });
    const { words, tags, frame } = await pdfOf(asked.body.url);
    for (const said of [
      'Carta de servicio voluntario',
      'A quien corresponda:',
      'With thanks to Ana Lee of',
      '3 horas',
      'Del 1 de enero de 2026 al 4 de marzo de 2026',
      '1 mar 2026 Book fair 1.25',
      'Fecha Actividad Horas',
      'Grace Hopper Principal',
      'Código:',
      'Página 1 de 1',
    ]) {
      expect(words).toContain(said);
    }
    expect(frame).toContain('/Lang (es-US)');
    expect(frame).toContain('pdfuaid:part');
    expect(tags).toMatchObject({ Document: 1, Sect: 1, H1: 1, Table: 2 });
    // The logo and the QR code.
    expect(tags['Figure']).toBe(2);
  });

  test("uses the district's logo if the school has none or the letter covers all schools", async () => {
    const { person, school } = await aVolunteer();
    const figures = async (body: object) => {
      const asked = await issue(person.token, body);
      const { tags, frame } = await pdfOf(asked.body.url);
      return [tags['Figure'], /Logo of (.+?)\)/.exec(frame)?.[1]];
    };
    expect(await figures({ schoolId: school.id })).toEqual([1, undefined]);
    const logo = await multipart('logo', [{ name: 'a.jpg', content: await phonePhoto(80, 80) }]);
    await app.call('POST /api/admin/settings/logo', { token: ada.token, ...logo });
    const district = app.deps.config.districtName;
    expect(await figures({ schoolId: school.id })).toEqual([2, district]);
    expect(await figures({})).toEqual([2, district]);
    const { name: schoolName } = await app.deps.database.db
      .selectFrom('schools')
      .select('name')
      .where('id', '=', school.id)
      .executeTakeFirstOrThrow();
    const own = await multipart('logo', [{ name: 'b.jpg', content: await phonePhoto(60, 60) }]);
    await app.call(`POST /api/admin/schools/${school.id}/logo`, { token: ada.token, ...own });
    expect(await figures({ schoolId: school.id })).toEqual([2, schoolName]);
    await app.call('DELETE /api/admin/settings/logo', { token: ada.token });
  });

  test('never puts the signature alone on a page', async () => {
    const { person, activity } = await aVolunteer();
    for (let day = 1; day <= 28; day++) {
      const date = `2026-02-${String(day).padStart(2, '0')}`;
      await anEntry(app, { by: person, activity, hours: 1, date });
    }
    for (const startDate of [
      '2026-02-01',
      '2026-02-05',
      '2026-02-08',
      '2026-02-10',
      '2026-02-12',
      '2026-02-15',
      '2026-02-18',
    ]) {
      const asked = await issue(person.token, { startDate, withDates: true });
      const { text } = await pdfOf(asked.body.url);
      const pages = wordsOf(text)
        .split(/Page \d of \d/)
        .filter((page) => page.trim() !== '');
      const signed = pages.filter((page) => page.includes('Signature'));
      expect(signed).toHaveLength(1);
      expect(signed[0]).toMatch(/2026 Book fair .*Total .*Signature .*Code:/);
    }
  });

  test('never breaks a page between signature and code, or table header and rows', async () => {
    const { person, school } = await aVolunteer();
    const longest = { signerName: 'W'.repeat(120), signerTitle: 'M'.repeat(120) };
    const saidOf = async (letter: object) => {
      await db
        .updateTable('schools')
        .set({ letter_signer: null, letter_title: null, letter_wording: null })
        .where('id', '=', school.id)
        .execute();
      const saved = await app.call(`PUT /api/admin/schools/${school.id}`, {
        token: ada.token,
        body: { letter },
      });
      expect(saved.status).toBe(200);
      const { text } = await pdfOf((await issue(person.token, { schoolId: school.id })).body.url);
      return wordsOf(text).split(/Page \d of \d/);
    };
    for (let lines = 8; lines <= 22; lines += 2) {
      const wording = 'In gratitude for all that was done here. '.repeat(lines * 2).slice(0, 2000);
      const pages = await saidOf({ ...longest, wording });
      const [signed, ...others] = pages.filter((page) => page.includes('Signature'));
      expect(others).toEqual([]);
      expect(signed).toMatch(/Book fair.*Total.*Signature.*WWW.*MMM.*Code:/);
      for (const page of pages.filter((one) => one.includes('Activity Hours'))) {
        expect(page).toContain('Book fair');
      }
    }
  });

  test.each(['王', 'محمد', 'नमिता', 'Ann 🌻'])(
    'is rejected for the unprintable name %s, with instructions',
    async (firstName) => {
      const { person, school } = await aVolunteer({ firstName, lastName: 'Lee' });
      const refused = await issue(person.token);
      expect([refused.status, refused.body.error]).toEqual([
        409,
        `Letters can't show the name ${firstName} Lee yet. Please write it in Latin letters in the profile and try again.`,
      ]);
      const asked = { ...ASKED, form: 'zip', schoolId: school.id, userIds: [person.id] };
      const many = await app.call('POST /api/reports/letter-files', { token: ada.token, body: asked });
      expect([many.status, many.body.error]).toEqual([409, refused.body.error]);
      for (const table of ['service_letters', 'service_letter_files'] as const) {
        const rows = await db.selectFrom(table).selectAll().where('user_id', '=', person.id).execute();
        expect(rows).toEqual([]);
      }
    },
  );

  test.each(['Nguyễn', 'Łukasz O’Néill-Ñandú', 'Ελένη', 'Иван', 'ʻOkina'])(
    'is created for a volunteer named %s',
    async (firstName) => {
      const { person } = await aVolunteer({ firstName, lastName: 'Lee' });
      const { body } = await issue(person.token);
      expect((await pdfOf(body.url)).words).toContain(`${firstName} Lee volunteered 3 hours`);
    },
  );

  test('is rejected for future days, no hours, or an end before the start', async () => {
    const { person } = await aVolunteer();
    for (const [body, status, field] of [
      [{ endDate: '2026-03-05' }, 400, 'endDate'],
      [{ startDate: '2026-03-04', endDate: '2026-03-03' }, 400, 'endDate'],
      [{ language: 'fr' }, 400, 'language'],
      [{ startDate: '2020-01-01', endDate: '2020-12-31' }, 409, undefined],
      [{ schoolId: 999_999 }, 404, undefined],
    ] as const) {
      const reply = await issue(person.token, body);
      expect([body, reply.status]).toEqual([body, status]);
      if (field !== undefined) expect(reply.body.fields).toHaveProperty(field);
    }
    expect((await issue(person.token, { endDate: TODAY })).status).toBe(201);
  });

  test('has a link that works once, for five minutes, and only while the issuer has permission', async () => {
    const { person, school } = await aVolunteer();
    const { body } = await issue(person.token);
    const both = await Promise.all([1, 2].map(() => app.call(`GET ${body.url}`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const late = await issue(person.token);
    app.clock.advance(5 * 60_000 + 1);
    expect((await app.call(`GET ${late.body.url}`)).status).toBe(404);
    app.clock.set(NOW);
    const admin = await aPersonWithRole(app, 'school-admin', school);
    const theirs = await issue(admin.token, { userId: person.id, schoolId: school.id });
    expect(theirs.status).toBe(201);
    await db.deleteFrom('user_grants').where('user_id', '=', admin.id).execute();
    expect((await app.call(`GET ${theirs.body.url}`)).status).toBe(404);
  });

  test('states the hours at the time of rendering if they changed since it was issued', async () => {
    const { person, first } = await aVolunteer({ lastName: 'Late' });
    const { body } = await issue(person.token);
    await app.call(`PUT /api/time-entries/${first.id}`, {
      token: person.token,
      body: await editOf(app, first.id, { hours: 2.25 }),
    });
    expect((await pdfOf(body.url)).words).toContain('volunteered 4 hours');
    expect((await check(body.letter.code, 'late')).body).toMatchObject({ status: 'valid', hours: 4 });
  });
});

describe('service letter at schools that verify hours', () => {
  test('counts only verified hours, and states that', async () => {
    const { person, school, first } = await aVolunteer({ lastName: 'Lee' });
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', school.id).execute();
    await db
      .updateTable('time_entries')
      .set({ verification: 'waiting' })
      .where('school_id', '=', school.id)
      .execute();
    expect((await issue(person.token)).status).toBe(409);
    await db
      .updateTable('time_entries')
      .set({ verification: 'verified', counted_hundredths: 100 })
      .where('id', '=', first.id)
      .execute();
    const asked = await issue(person.token, { schoolId: school.id });
    expect(asked.body.letter).toMatchObject({ hours: 1, isVerifiedOnly: true });
    const { words } = await pdfOf(asked.body.url);
    expect(words).toContain('volunteered 1 hour at');
    expect(words).toContain('Only hours that the school has verified are counted.');
    const { code } = asked.body.letter;
    expect((await check(code, 'Lee')).body).toMatchObject({ status: 'valid', isVerifiedOnly: true });
    await db
      .updateTable('time_entries')
      .set({ counted_hundredths: 125 })
      .where('id', '=', first.id)
      .execute();
    expect((await check(code, 'Lee')).body).toMatchObject({ status: 'changed', hours: 1, hoursNow: 1.25 });
  });

  test('states which of several schools verify', async () => {
    const { person, first, school } = await aVolunteer({ lastName: 'Lee' });
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', school.id).execute();
    const verified = { verification: 'verified', counted_hundredths: 125 } as const;
    await db.updateTable('time_entries').set(verified).where('id', '=', first.id).execute();
    const elsewhere = await anActivity(app, { school: await aSchool(app, {}) });
    await anEntry(app, { by: person, activity: elsewhere, hours: 2, date: '2026-03-02' });
    const asked = await issue(person.token);
    expect(asked.body.letter).toMatchObject({ hours: 3.25, isVerifiedOnly: false });
    expect((await pdfOf(asked.body.url)).words).toMatch(
      /Of the hours at .+, only verified ones are counted\./,
    );
  });
});

describe('checking a service letter', () => {
  test('returns "changed", and "valid" again once the entry is restored', async () => {
    const { person, first } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token)).body.letter;
    await app.call(`DELETE /api/time-entries/${first.id}`, { token: person.token });
    expect((await check(code, 'Lee')).body).toMatchObject({ status: 'changed', hours: 3, hoursNow: 1.75 });
    await app.call(`POST /api/time-entries/${first.id}/restore`, { token: person.token });
    expect((await check(code, 'Lee')).body).toMatchObject({ status: 'valid', hoursNow: 3 });
  });

  test('returns "changed" if a listed day differs, even with the same total', async () => {
    const { person, first } = await aVolunteer({ lastName: 'Lee' });
    const dated = (await issue(person.token, { withDates: true })).body.letter.code;
    const summed = (await issue(person.token)).body.letter.code;
    await app.call(`PUT /api/time-entries/${first.id}`, {
      token: person.token,
      body: await editOf(app, first.id, { entryDate: '2026-03-03' }),
    });
    expect((await check(dated, 'Lee')).body).toMatchObject({ status: 'changed', hours: 3, hoursNow: 3 });
    expect((await check(summed, 'Lee')).body).toMatchObject({ status: 'valid' });
  });

  test('returns "renamed" if the account has another name', async () => {
    const { person, school } = await aVolunteer({ firstName: 'Ann', lastName: 'Lee' });
    const callMe = (firstName: string, lastName: string) =>
      app.call('PUT /api/profile', {
        token: person.token,
        body: { email: person.email, firstName, lastName, schoolIds: [school.id] },
      });
    const statusOf = async (code: string, lastName: string) => (await check(code, lastName)).body.status;
    const own = (await issue(person.token)).body.letter;
    await callMe('ANN', 'Leé');
    expect(await statusOf(own.code, 'Lee')).toBe('valid');
    await callMe('Bob', 'Idle');
    const checked = (await check(own.code, 'Lee')).body;
    expect([checked.status, checked.person]).toEqual(['renamed', 'Ann Lee']);
    expect(JSON.stringify(checked)).not.toContain('Idle');
    const listed = await app.call('GET /api/reports/letters', { token: person.token });
    expect(listed.body.letters).toMatchObject([{ id: own.id, isRenamed: true }]);

    // A second person gets none of the hours, unless the first letter is withdrawn or the school issues theirs.
    const error =
      'You already have a letter for these hours under another name. Withdraw it first, or ask your school to create this one.';
    for (const more of [{}, { schoolId: school.id }, { startDate: TODAY }]) {
      const refused = await issue(person.token, more);
      expect([refused.status, refused.body.error]).toEqual([409, error]);
    }
    const boss = await aPersonWithRole(app, 'school-admin', school);
    const bySchool = await issue(boss.token, { userId: person.id, schoolId: school.id });
    expect(await statusOf(bySchool.body.letter.code, 'Idle')).toBe('valid');
    await app.call(`POST /api/reports/letters/${own.id}/withdraw`, { token: person.token });
    expect((await issue(person.token)).status).toBe(201);
    expect(await statusOf(own.code, 'Lee')).toBe('withdrawn');
  });

  test('returns the school’s name from the letter after the school was renamed', async () => {
    const { person, school } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token, { schoolId: school.id })).body.letter;
    const { name } = await db
      .selectFrom('schools')
      .select('name')
      .where('id', '=', school.id)
      .executeTakeFirstOrThrow();
    await app.call(`PUT /api/admin/schools/${school.id}`, {
      token: ada.token,
      body: { name: `${name} new` },
    });
    expect((await check(code, 'Lee')).body).toMatchObject({ status: 'valid', school: name });
  });

  test('ignores case, hyphens, spaces and accents in the code and name', async () => {
    const { person } = await aVolunteer({ lastName: 'O’Connor-Núñez' });
    const { code } = (await issue(person.token)).body.letter as { code: string };
    for (const typed of [
      code.toLowerCase(),
      code.replaceAll('-', ''),
      code.replaceAll('-', ' – '),
      ` ${code} `,
    ]) {
      for (const name of ["o'connor nunez", 'OCONNORNUNEZ', ' O’connor-Núñez ']) {
        expect([typed, name, (await check(typed, name)).status]).toEqual([typed, name, 200]);
      }
    }
  });

  test('returns the same answer for a wrong code, a wrong name and an invalid code', async () => {
    const { person } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token)).body.letter as { code: string };
    const swapped = code.startsWith('2') ? `3${code.slice(1)}` : `2${code.slice(1)}`;
    expect(readCode(swapped)).toBeUndefined();
    for (const [typed, name] of [
      [code, 'Leo'],
      [swapped, 'Lee'],
      ['2222-2222-22', 'Lee'],
      ['not a code', 'Lee'],
      [code.slice(0, -1), 'Lee'],
    ] as const) {
      const { status, body } = await check(typed, name);
      expect([typed, status, body]).toEqual([typed, 404, WRONG]);
    }
  });

  test('rejects empty, numeric and long input without counting a mistake', async () => {
    for (const body of [
      {},
      { code: '', lastName: 'Lee' },
      { code: 'x'.repeat(61), lastName: 'Lee' },
      { code: 5, lastName: [] },
      { code: 'A', lastName: 'x'.repeat(10_000) },
    ]) {
      expect((await app.call('POST /api/letters/check', { body })).status).toBe(400);
    }
    expect((await check('\u0000\uD800', '\u0000a\uD800')).status).toBe(404);
    const { person } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token)).body.letter;
    for (let round = 0; round < 6; round++) expect((await check(code, 'x'.repeat(10_000))).status).toBe(400);
    expect((await check(code, 'Lee')).status).toBe(200);
  });
});

describe('protection against abuse of letters', () => {
  test('limits guesses at one letter to five mistakes from all addresses', async () => {
    const { person } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token)).body.letter;
    for (let mistake = 0; mistake < 5; mistake++)
      expect((await check(code, `Guess ${mistake}`)).status).toBe(404);
    const shut = await check(code, 'Lee');
    expect([shut.status, shut.headers['retry-after']]).toEqual([429, expect.anything()]);
    app.clock.advance(16 * 60_000);
    expect((await check(code, 'Lee')).status).toBe(200);
    app.clock.set(NOW);
  });

  test('limits 400 parallel guesses at one letter to five', async () => {
    const { person } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token)).body.letter;
    const replies = await Promise.all(Array.from({ length: 400 }, (_, at) => check(code, `Guess ${at}`)));
    const seen = Map.groupBy(replies, ({ status }) => status);
    expect([seen.get(404)?.length, seen.get(200)]).toEqual([5, undefined]);
    // A request that waits too long for its turn gets 503.
    expect([...seen.keys()].toSorted()).toEqual(seen.has(503) ? [404, 429, 503] : [404, 429]);
  });

  test('limits one address to 100 mistakes, not counting correct codes', async () => {
    const { person } = await aVolunteer({ lastName: 'Lee' });
    const { code } = (await issue(person.token)).body.letter;
    const from = '198.51.100.7';
    const replies = await Promise.all(
      Array.from({ length: 130 }, () => check(randomBytes(5).toString('hex'), 'Lee', from)),
    );
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(100);
    expect((await check(code, 'Lee', from)).status).toBe(429);
    const other = '198.51.100.8';
    for (let turn = 0; turn < 120; turn++) expect((await check(code, 'Lee', other)).status).toBe(200);
  });

  test('exposes a forged total, because the check returns the real one', async () => {
    const { person } = await aVolunteer({ lastName: 'Lee' });
    const { body } = await issue(person.token);
    const { words } = await pdfOf(body.url);
    const forged = words.replace('volunteered 3 hours', 'volunteered 300 hours');
    const [, code = ''] = /Code: (\S+)/.exec(forged) ?? [];
    expect((await check(code, 'Lee')).body).toMatchObject({ status: 'valid', hours: 3, hoursNow: 3 });
    expect(JSON.stringify((await check(code, 'Lee')).body)).not.toContain('300');
  });

  test('limits one user to 60 letters', async () => {
    const { person } = await aVolunteer();
    const statuses: number[] = [];
    while (statuses.length < 70) statuses.push((await issue(person.token)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual(Array(10).fill(429));
  });
});

describe('withdrawing a service letter', () => {
  test('is shown by the check, and changes nothing the second time', async () => {
    const { person } = await aVolunteer({ firstName: 'Ann', lastName: 'Lee' });
    const { id, code } = (await issue(person.token)).body.letter;
    const once = await app.call(`POST /api/reports/letters/${id}/withdraw`, { token: person.token });
    expect([once.status, once.body.letter.withdrawnAt]).toEqual([200, NOW]);
    app.clock.advance(60_000);
    const twice = await app.call(`POST /api/reports/letters/${id}/withdraw`, { token: person.token });
    expect([twice.status, twice.body.letter.withdrawnAt]).toEqual([200, NOW]);
    app.clock.set(NOW);
    expect((await check(code, 'Lee')).body).toMatchObject({
      status: 'withdrawn',
      person: 'Ann Lee',
      hoursNow: null,
    });
    const records = await recordOf(app, 'user', person.id);
    expect(records.filter(({ action }) => action === 'letter.withdraw')).toHaveLength(1);
  });

  test('is allowed for coordinators of the school, but not for auditors, other volunteers or schools', async () => {
    const { person, school } = await aVolunteer();
    const { id } = (await issue(person.token, { schoolId: school.id })).body.letter;
    const send = async (token: string) =>
      (await app.call(`POST /api/reports/letters/${id}/withdraw`, { token })).status;
    const other = await aPerson(app, { schools: [school] });
    const auditor = await aPersonWithRole(app, 'auditor', school);
    const stranger = await aPersonWithRole(app, 'school-admin', await aSchool(app, {}));
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    expect([
      await send(other.token),
      await send(stranger.token),
      await send(auditor.token),
      await send(coordinator.token),
    ]).toEqual([404, 404, 403, 200]);
  });
});

describe('listing service letters', () => {
  test("returns the viewer's own letters, or another user's within the viewer’s schools", async () => {
    const { person, school } = await aVolunteer();
    const here = (await issue(person.token, { schoolId: school.id })).body.letter;
    const all = (await issue(person.token)).body.letter;
    const own = await app.call('GET /api/reports/letters', { token: person.token });
    expect(own.body.letters.map(({ id }: { id: number }) => id)).toEqual([all.id, here.id]);
    const admin = await aPersonWithRole(app, 'school-admin', school);
    const path = `GET /api/reports/letters?userId=${person.id}`;
    const seen = await app.call(path, { token: admin.token });
    expect(seen.body.letters.map(({ id }: { id: number }) => id)).toEqual([here.id]);
    const other = await aPerson(app, { schools: [school] });
    expect((await app.call(path, { token: other.token })).status).toBe(404);
  });

  test('returns the current hours of each letter, and whether they have changed', async () => {
    const { person, school, first } = await aVolunteer();
    const elsewhere = await aSchool(app, {});
    const garden = await anActivity(app, { school: elsewhere });
    await anEntry(app, { by: person, activity: garden, hours: 5, date: '2026-03-02' });
    const made = async (body: object) => (await issue(person.token, body)).body.letter.id;
    const here = { schoolId: school.id };
    const gone = await made(here);
    await app.call(`POST /api/reports/letters/${gone}/withdraw`, { token: person.token });
    const ids = [
      gone,
      await made(here),
      await made({ ...here, startDate: '2026-03-02' }),
      await made({ ...here, withDates: true }),
      await made({}),
    ];
    await app.call(`DELETE /api/time-entries/${first.id}`, { token: person.token });
    const { body } = await app.call('GET /api/reports/letters', { token: person.token });
    const told = new Map<number, [number | null, boolean]>(
      body.letters.map((one: Letter) => [one.id, [one.hoursNow, one.hasChanged]]),
    );
    expect(ids.map((id) => told.get(id))).toEqual([
      [null, false],
      [1.75, true],
      [1.75, false],
      [1.75, true],
      [6.75, true],
    ]);
  });
});

describe('letters of a deleted account', () => {
  test('are withdrawn, and no record of them contains the name', async () => {
    const { person } = await aVolunteer({ firstName: 'Secretia', lastName: 'Vanish' });
    const { code } = (await issue(person.token)).body.letter;
    await app.call('POST /api/profile/erasure-request', { token: person.token, body: {} });
    expect((await app.call(`POST /api/admin/users/${person.id}/erase`, { token: ada.token })).status).toBe(
      200,
    );
    const said = await check(code, 'vanish');
    expect([said.status, said.body]).toMatchObject([
      200,
      { status: 'withdrawn', person: null, hoursNow: null },
    ]);
    expect((await check(code, 'volunteer')).status).toBe(404);
    for (const table of [
      'service_letters',
      'service_letter_names',
      'service_letter_files',
      'audit_events',
    ] as const) {
      expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toMatch(
        /Secretia|Vanish/i,
      );
    }
  });

  test('are in the data export before the deletion', async () => {
    const { person } = await aVolunteer();
    const { code } = (await issue(person.token)).body.letter;
    const { text } = await app.call('GET /api/profile/data', { token: person.token });
    expect(JSON.parse(text).serviceLetters).toEqual([
      { code, school: null, ...PERIOD, issuedAt: NOW, withdrawnAt: null, hours: 3 },
    ]);
  });
});

describe('letters for many volunteers', () => {
  const many = (token: string, body: object) =>
    app.call('POST /api/reports/letter-files', { token, body: { ...ASKED, form: 'zip', ...body } });

  async function aClass(count: number) {
    const school = await aSchool(app, {});
    const people = [];
    for (let at = 0; at < count; at++) {
      people.push((await aVolunteer({ school, firstName: 'Kim', lastName: `Class ${at}` })).person);
    }
    const idle = await aPerson(app, { schools: [school] });
    const admin = await aPersonWithRole(app, 'school-admin', school);
    const userIds = [...people, idle].map(({ id }) => id);
    return { school, people, admin, userIds };
  }

  test('are a ZIP of PDFs with a code for each volunteer who has hours', async () => {
    const { school, people, admin, userIds } = await aClass(3);
    const asked = await many(admin.token, { schoolId: school.id, userIds });
    expect([asked.status, asked.body]).toEqual([
      201,
      {
        file: { id: expect.any(Number), form: 'zip', status: 'ready', letters: 0, total: 3 },
        url: expect.stringMatching(/^\/api\/letters\/files\//),
        without: 1,
      },
    ]);
    const reply = await app.app.inject({ method: 'GET', url: asked.body.url });
    expect(reply.headers['content-type']).toBe('application/zip');
    const files = Object.values(unzipSync(new Uint8Array(reply.rawPayload)));
    const codes = files.map(
      (file) => /Code: (\S+)/.exec(wordsOf(readPdf(Buffer.from(file)).text))?.[1] ?? '',
    );
    expect(new Set(codes).size).toBe(3);
    for (const [at, code] of codes.entries()) {
      expect((await check(code, people[at]?.lastName ?? '')).body).toMatchObject({
        status: 'valid',
        hours: 3,
      });
    }
    const path = `GET /api/reports/letter-files/${asked.body.file.id}`;
    await expect
      .poll(async () => (await app.call(path, { token: admin.token })).body.file)
      .toMatchObject({ status: 'done', letters: 3 });
  });

  test('can be one PDF, where each letter begins on a new page', async () => {
    const { school, admin, userIds } = await aClass(2);
    const asked = await many(admin.token, { schoolId: school.id, userIds, form: 'pdf' });
    const { words, tags } = await pdfOf(asked.body.url);
    expect(words.match(/Page 1 of 1/g)).toHaveLength(2);
    expect(tags).toMatchObject({ Sect: 2, H1: 2 });
  });

  test('are limited to 200 volunteers of the viewer’s schools, and denied to coordinators', async () => {
    const { school, admin, userIds } = await aClass(1);
    const elsewhere = await aVolunteer();
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    const statuses = [
      await many(coordinator.token, { schoolId: school.id, userIds }),
      await many(admin.token, { schoolId: school.id, userIds: [...userIds, elsewhere.person.id] }),
      await many(admin.token, { schoolId: elsewhere.school.id, userIds }),
      await many(admin.token, {
        schoolId: school.id,
        userIds: Array.from({ length: 201 }, (_, at) => at + 1),
      }),
      await many(admin.token, { schoolId: school.id, userIds: [] }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 404, 404, 400, 400]);
  });

  test('are withdrawn if their file is canceled; a second file is rejected until then', async () => {
    const { school, people, admin, userIds } = await aClass(2);
    const asked = await many(admin.token, { schoolId: school.id, userIds });
    await db
      .updateTable('service_letter_files')
      .set({ started_at: NOW, seen_at: NOW, made_by: 'another/1/x' })
      .where('id', '=', asked.body.file.id)
      .execute();
    expect((await many(admin.token, { schoolId: school.id, userIds })).status).toBe(429);
    const stopped = await app.call(`DELETE /api/reports/letter-files/${asked.body.file.id}`, {
      token: admin.token,
    });
    expect([stopped.status, stopped.body.file.status]).toEqual([200, 'cancelled']);
    const letters = await db
      .selectFrom('service_letters')
      .selectAll()
      .where('user_id', '=', people[0]?.id ?? 0)
      .execute();
    expect(letters.map(({ withdrawn_at }) => withdrawn_at)).toEqual([NOW]);
    expect((await app.call(`GET ${asked.body.url}`)).status).toBe(404);
  });

  test('cannot be downloaded if all of them were withdrawn before', async () => {
    const { school, people, admin, userIds } = await aClass(2);
    const asked = await many(admin.token, { schoolId: school.id, userIds, form: 'pdf' });
    for (const { id, token } of people) {
      const [letter] = (await app.call(`GET /api/reports/letters?userId=${id}`, { token })).body.letters;
      await app.call(`POST /api/reports/letters/${letter.id}/withdraw`, { token });
    }
    const { status, body } = await app.call(`GET ${asked.body.url}`);
    expect([status, body.error]).toEqual([
      404,
      'This link was already used or has expired. Please create the letter again.',
    ]);
  });
});

describe('letter settings of a school', () => {
  test('accept only known placeholders and require a signer with a title', async () => {
    const school = await aSchool(app, {});
    const admin = await aPersonWithRole(app, 'school-admin', school);
    const put = (letter: unknown, token = admin.token) =>
      app.call(`PUT /api/admin/schools/${school.id}`, { token, body: { letter } });
    const good = { signerName: 'Grace', signerTitle: 'Principal', wording: null };
    for (const wording of ['{nmae}', 'a { b', '}', '{{name}}', '{}', 'x'.repeat(2001)]) {
      expect([wording, (await put({ ...good, wording })).status]).toEqual([wording, 400]);
    }
    expect((await put({ ...good, wording: '{nope} {name}' })).text).toContain('{nope}');
    expect((await put({ ...good, signerTitle: ' ' })).status).toBe(400);
    expect((await put(good)).body.school.letter).toEqual(good);
    expect((await put({ ...good, wording: '' })).body.school).toMatchObject({ letter: good, version: 2 });
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    expect((await put(null, coordinator.token)).status).toBe(403);
    expect((await put(null)).body.school.letter).toBeNull();
  });
});
