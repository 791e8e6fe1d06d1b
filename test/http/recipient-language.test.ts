import { beforeAll, describe, expect, test } from 'vitest';
import { suggestionDigestJob } from '#features/activities/suggestions/server/suggestion-digest.ts';
import { rememberDevice } from '#features/auth/server/login-throttling.ts';
import { emailNewDevice } from '#features/auth/server/new-device-email.ts';
import { deliverAllAnnouncements } from '#features/notifications/announcements/server/delivery.ts';
import { weeklySummaryJob } from '#features/notifications/reminders/server/weekly-summary.ts';
import { emailBackupStatus } from '#features/operations/server/emails.ts';
import { externalVerifierEmailJob } from '#features/verification/external-verifiers/server/emails.ts';
import { weeklyReminderJob } from '#features/verification/weekly-reminder/server/emails.ts';
import { storeBackupResult } from '#server/backup/backup-status.ts';
import { transaction } from '#server/db/database.ts';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import {
  aGrant,
  anActivity,
  anAddress,
  anAdministrator,
  anEntry,
  anOutsideLetter,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
  SUPERVISOR,
} from '../builders.ts';
import { startApp, type TestApp } from '../harness.ts';
import { readPdf } from '../pdf.ts';
import { emailsSentTo } from '../sent-emails.ts';

const ASKING = { en: { 'accept-language': 'en-US' }, es: { 'accept-language': 'es-US' } } as const;
/** Nine in the morning of the Monday after, in Chicago. */
const MONDAY = '2026-03-09T14:00:00.000Z';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const OTHER = { en: 'es', es: 'en' } as const;

type Person = Awaited<ReturnType<typeof aPerson>>;

let app: TestApp;
let ada: Person;
let school: Awaited<ReturnType<typeof aSchool>>;
beforeAll(async () => {
  const SMTP_URL = 'smtp://127.0.0.1:9';
  app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example', SMTP_URL });
  ada = await anAdministrator(app);
  school = await aSchool(app, { name: 'Lincoln', verification: 'on' });
});

async function choose({ id }: { id: number }, language: Language | null): Promise<void> {
  await app.deps.database.db.updateTable('users').set({ language }).where('id', '=', id).execute();
}

/** Somebody with a confirmed address who chose a language, or none. */
async function aReader(
  language: Language | null,
  given: Parameters<typeof aPerson>[1] = {},
): Promise<Person> {
  const person = await aPerson(app, { firstName: 'Rosa', isProven: true, schools: [school], ...given });
  await choose(person, language);
  return person;
}

const offer = (languages: readonly Language[]) =>
  app.call('PUT /api/admin/settings', { token: ada.token, body: { languages } });

/** The last letter to an address, read as if there were no mail server: how it is marked, its words, its greeting. */
async function lastTo(email: string) {
  const { config } = app.deps;
  const here = { ...app, deps: { ...app.deps, config: { ...config, smtpUrl: undefined } } };
  const letter = (await emailsSentTo(here, email)).at(-1);
  const [, mark] = /<html lang="([^"]*)">/.exec(letter?.html ?? '') ?? [];
  const text = letter?.text ?? '';
  const greeting = /^Hola\b/.test(text) ? 'es' : /^Hello\b/.test(text) ? 'en' : 'none';
  const footer = text.includes('¿Preguntas?') ? 'es' : text.includes('Questions?') ? 'en' : 'none';
  return { spoken: [mark, greeting, footer], subject: letter?.subject, text, html: letter?.html ?? '' };
}

/** The last letters to some people. */
async function each(people: readonly Person[]) {
  const letters: Awaited<ReturnType<typeof lastTo>>[] = [];
  for (const { email } of people) letters.push(await lastTo(email));
  return letters;
}

const throughout = (language: Language) => [language, language, language];

type Cause = (reader: Person, ask: (call: string, body: object) => Promise<void>) => Promise<unknown>;

/** What somebody has others told, of whom each is a reader of their own. */
const CAUSES: Readonly<Record<string, Cause>> = {
  'a school membership approval': async (reader, ask) => {
    const { id } = await aSchool(app);
    const asked = { user_id: reader.id, school_id: id, status: 'pending', is_approved: 0 } as const;
    const { db } = app.deps.database;
    await db
      .insertInto('user_schools')
      .values({ ...asked, created_at: app.clock.now() })
      .execute();
    await ask('POST /api/admin/memberships/approve', { userId: reader.id, schoolId: id });
  },
  'a suggestion decision': async (reader, ask) => {
    const { id } = await aSuggestion(app, { by: reader, school });
    await ask(`POST /api/admin/activity-suggestions/${id}/reject`, { adminReason: 'No room' });
  },
  'an invitation to another school': async ({ email }, ask) =>
    ask('POST /api/admin/invites', { email, schoolIds: [(await aSchool(app)).id, school.id] }),
  'a password changed by the administrator': ({ id }, ask) =>
    ask(`PUT /api/admin/users/${id}`, { password: 'another-meadow-18' }),
  'an announcement': async ({ id }, ask) => {
    const letter = { subject: 'Field day', text: 'Bring water.\nGracias', userIds: [id], receivers: 1 };
    await ask('POST /api/admin/mailings', letter);
    await deliverAllAnnouncements(app.deps);
  },
  'a hidden photo': async (reader, ask) => {
    await aGrant(app, reader, 'school-admin', school);
    const activity = await anActivity(app, { school });
    const { id } = await aPhoto(app, { by: ada, activity });
    await ask(`POST /api/photos/${id}/takedown`, { reason: 'My child' });
  },
  'an account deletion': ({ id }, ask) => ask(`POST /api/admin/users/${id}/erase`, {}),
};

describe('an email that an administrator triggers', () => {
  const cases = Object.keys(CAUSES).flatMap((what) => LANGUAGES.map((language) => [what, language] as const));

  test.each(cases)(
    'about %s is in the reader’s language (%s), not the administrator’s',
    async (what, language) => {
      const reader = await aReader(language);
      await choose(ada, OTHER[language]);
      await CAUSES[what]?.(reader, async (call, body) => {
        const reply = await app.call(call, { token: ada.token, body, headers: ASKING[OTHER[language]] });
        expect(reply.status, reply.text).toBeLessThan(300);
      });
      expect((await lastTo(reader.email)).spoken).toEqual(throughout(language));
    },
  );

  test('is in the district’s first language if the reader chose none', async () => {
    await choose(ada, 'es');
    for (const who of [await aReader(null), { email: anAddress() }]) {
      const body = { email: who.email, schoolIds: [school.id] };
      await app.call('POST /api/admin/invites', { token: ada.token, body, headers: ASKING.es });
      expect((await lastTo(who.email)).spoken).toEqual(throughout('en'));
    }
  });

  test('is in a language of the district even if the reader once chose another', async () => {
    await choose(ada, null);
    const [rosa, tom] = [await aReader('es'), await aReader('en')];
    const invite = async ({ email }: Person) => {
      await app.call('POST /api/admin/invites', {
        token: ada.token,
        body: { email, schoolIds: [school.id] },
      });
      return (await lastTo(email)).spoken;
    };
    try {
      expect((await offer(['en'])).status).toBe(200);
      expect(await invite(rosa)).toEqual(throughout('en'));
      expect((await offer(['es'])).status).toBe(200);
      expect(await invite(tom)).toEqual(throughout('es'));
    } finally {
      await offer(LANGUAGES);
    }
  });

  test('has the reader’s language around an announcement’s text, which declares no language', async () => {
    await choose(ada, 'es');
    const other = await aSchool(app, { name: 'Adams' });
    const head = await aReader(null, { firstName: 'Hedy' });
    for (const place of [school, other]) await aGrant(app, head, 'school-admin', place);
    const [rosa, tom] = [await aReader('es'), await aReader('en')];
    const userIds = [rosa.id, tom.id];
    const body = { subject: 'Field day', text: 'Bring water.', userIds, receivers: 2 };
    expect((await app.call('POST /api/admin/mailings', { token: head.token, body })).status).toBe(201);
    await deliverAllAnnouncements(app.deps);
    const [toRosa, toTom] = [await lastTo(rosa.email), await lastTo(tom.email)];
    expect([toRosa.text, toTom.text]).toEqual([
      expect.stringContaining(', Adams y Lincoln\n'),
      expect.stringContaining(', Adams and Lincoln\n'),
    ]);
    for (const { html } of [toRosa, toTom])
      expect(html).toMatch(/<p lang="" style="[^"]*">Bring water\.<\/p>/);
  });
});

describe('an email that a user requests', () => {
  const anonymously = (call: string, body: object, language: Language) =>
    app.call(call, { body, headers: { ...ASKING[language], 'x-device-key': 'd'.repeat(32) } });

  test.each(LANGUAGES)('is in the language that the user chose: %s', async (language) => {
    const reader = await aReader(language);
    await anonymously('POST /api/auth/forgot-password', { email: reader.email }, OTHER[language]);
    const reset = await lastTo(reader.email);
    expect(reset.spoken).toEqual(throughout(language));
    expect(reset.subject).toBe({ en: 'Reset your password', es: 'Restablezca su contraseña' }[language]);
  });

  test.each(LANGUAGES)('is in the language of the request if the user chose none: %s', async (language) => {
    const reader = await aReader(null);
    await anonymously('POST /api/auth/forgot-password', { email: reader.email }, language);
    expect((await lastTo(reader.email)).spoken).toEqual(throughout(language));
    const body = { currentPassword: PASSWORD, newPassword: 'another-meadow-18' };
    const headers = ASKING[language];
    expect(
      (await app.call('PUT /api/auth/change-password', { token: reader.token, body, headers })).status,
    ).toBe(200);
    const changed = await lastTo(reader.email);
    expect(changed.spoken).toEqual(throughout(language));
    expect(changed.subject).toBe(
      { en: 'Your password was changed', es: 'Se cambió su contraseña' }[language],
    );
  });
});

describe('stored text that everyone can read', () => {
  const former = async ({ id }: Person) => {
    await app.call(`POST /api/admin/users/${id}/erase`, { token: ada.token, body: {} });
    const { db } = app.deps.database;
    const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return `${row.first_name} ${row.last_name}`;
  };

  test('uses the district’s first language for the name of a deleted user', async () => {
    await choose(ada, 'es');
    expect(await former(await aReader('es'))).toBe('Former volunteer');
    try {
      await offer(['es']);
      expect(await former(await aReader('en'))).toBe('Persona voluntaria anterior');
    } finally {
      await offer(LANGUAGES);
    }
  });

  test('uses the district’s first language for why an external verifier could not verify hours', async () => {
    const activity = await anActivity(app, { school: await aSchool(app) });
    const by = await aReader('es');
    const { token, entries } = await anOutsideLetter(app, { by, activity });
    await app.call(`POST /api/verify/${token}`, { body: { unknownPerson: true }, headers: ASKING.es });
    const { db } = app.deps.database;
    const kept = db
      .selectFrom('time_entries')
      .select('decision_note')
      .where('id', '=', entries[0]?.id ?? 0);
    expect(await kept.executeTakeFirst()).toEqual({
      decision_note: 'The person named could not confirm these hours.',
    });
  });

  test('uses the district’s first language for the folder in Drive', async () => {
    await choose(ada, 'es');
    const { body } = await app.call('GET /api/admin/google-drive/status', { token: ada.token });
    expect(body.newFolder).toBe('Volunteer photos of Maple Grove Schools');
  });

  test('does not include the standard consent text, which is in each reader’s language', async () => {
    const settings = '/api/admin/photos/settings';
    await choose(ada, 'es');
    const { consentText } = (await app.call(`GET ${settings}`, { token: ada.token })).body.settings;
    expect(consentText).toContain('Todas las personas');
    await app.call(`PUT ${settings}`, { token: ada.token, body: { consent: true, consentText } });
    const read = async () => (await app.call('GET /api/photos/rules', { token: ada.token })).body.rules;
    expect((await read()).consentText).toBe(consentText);
    await choose(ada, 'en');
    expect((await read()).consentText).toContain('Everyone in these photos');
    await app.call(`PUT ${settings}`, { token: ada.token, body: { consentText: 'All agreed.' } });
    await choose(ada, 'es');
    expect((await read()).consentText).toBe('All agreed.');
  });
});

describe('without a session', () => {
  test('a file is in the language of the user who requested its link, not of the browser', async () => {
    await choose(ada, 'es');
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: ada, activity, hours: 1 });
    const body = { format: 'csv', schoolId: school.id };
    const { url } = (await app.call('POST /api/admin/time-entries/export', { token: ada.token, body })).body;
    expect((await app.call(`GET ${url}`, { headers: ASKING.en })).text).toMatch(/^\uFEFFFecha,Nombre,/);
    const sheet = { date: '2026-03-04', people: 'nobody', blankLines: 3, paper: 'letter' };
    const made = `POST /api/admin/activities/${activity.id}/sign-in-sheet`;
    const link = (await app.call(made, { token: ada.token, body: sheet })).body.url;
    const { rawPayload } = await app.app.inject({ method: 'GET', url: link, headers: ASKING.en });
    expect(readPdf(rawPayload).text).toContain('Hoja de asistencia');
  });

  test('pages declare their language, and format hours in US Spanish', async () => {
    const activity = await anActivity(app, { school: await aSchool(app) });
    const { token } = await anOutsideLetter(app, { by: await aReader('en'), activity, hours: [2.5] });
    const { text } = await app.call(`GET /?verify=${token}`, { headers: ASKING.es });
    expect(text).toContain('<html lang="es">');
    expect(text).toContain('2.5 horas');
    for (const language of LANGUAGES) {
      const drive = await app.call('GET /api/google-drive/callback?state=x', { headers: ASKING[language] });
      expect(drive.text).toContain(`<html lang="${language}">`);
    }
  });

  test('an email about a new browser uses the language and time format of the account', async () => {
    const config = { ...app.deps.config, newDeviceLetters: true };
    const request = { at: app.clock.now(), address: '10.9.9.9', requestId: 'test', agent: FIREFOX };
    const { id, email } = await aReader('es');
    await transaction(app.deps.database, async (trx) => {
      await rememberDevice(trx, app.deps, { ...request, device: 'a'.repeat(32) }, id);
      await emailNewDevice(trx, { ...app.deps, config }, { ...request, device: 'b'.repeat(32) }, id);
    });
    const { spoken, text } = await lastTo(email);
    expect(spoken).toEqual(throughout('es'));
    expect(text).toMatch(/Firefox en Linux, .*\d\s[ap]\.m\./);
  });
});

describe('an email of a background job', () => {
  test('is in each reader’s language', async () => {
    const places = await Promise.all(LANGUAGES.map(aVerifyingSchool));
    await choose(ada, 'es');
    app.clock.set(MONDAY);
    await runDueJobs(app.deps, [weeklyReminderJob]);
    const waiting = await each(places.map(({ verifier }) => verifier));
    await runDueJobs(app.deps, [suggestionDigestJob]);
    const ideas = await each(places.map(({ verifier }) => verifier));
    await runDueJobs(app.deps, [weeklySummaryJob]);
    const weeks = await each(places.map(({ volunteer }) => volunteer));
    for (const letters of [waiting, ideas, weeks]) {
      expect(letters.map(({ spoken }) => spoken)).toEqual(LANGUAGES.map(throughout));
    }
    expect(waiting.map(({ subject }) => subject)).toEqual([
      '1 time entry is waiting to be verified',
      '1 registro de horas de voluntariado por verificar',
    ]);
    expect(weeks.map(({ text }) => text)).toEqual([
      expect.stringContaining('2.5 h from Monday, March 2 to Sunday, March 8:'),
      expect.stringContaining('2.5 h del lunes, 2 de marzo, al domingo, 8 de marzo:'),
    ]);
  });

  test('formats the time of the last backup in each administrator’s language', async () => {
    const [rosa, tom] = [await aReader('es', { role: 'admin' }), await aReader('en', { role: 'admin' })];
    await transaction(app.deps.database, async (trx) => {
      const made = { to: '/backups', bytes: 1, milliseconds: 1 };
      await storeBackupResult(trx, made, '2026-03-03T20:30:00.000Z' as Instant);
      await emailBackupStatus(trx, app.deps, 'The disk is full');
    });
    expect([await lastTo(rosa.email), await lastTo(tom.email)]).toEqual([
      expect.objectContaining({ spoken: throughout('es'), text: expect.stringMatching(/2:30\sp\.m\./) }),
      expect.objectContaining({ spoken: throughout('en'), text: expect.stringMatching(/2:30\sPM/) }),
    ]);
    // The reason comes from a program, which speaks no Spanish; `lang` tells a screen reader.
    expect((await lastTo(rosa.email)).html).toMatch(/<p lang="en" style="[^"]*">The disk is full<\/p>/);
  });

  test('is in both languages for an external verifier, and each paragraph declares its own', async () => {
    const { db } = app.deps.database;
    const place = await aSchool(app, { verification: 'on' });
    const activity = await anActivity(app, { school: place });
    const outside = { verification: 'outside', external_verifier: SUPERVISOR } as const;
    await db.updateTable('activities').set(outside).where('id', '=', activity.id).execute();
    await waits(await aReader('es'), activity);
    app.clock.set('2026-03-12T23:00:00.000Z');
    await runDueJobs(app.deps, [externalVerifierEmailJob]);
    const { html } = await lastTo(SUPERVISOR);
    expect(html).toContain('<html lang="en">');
    expect(html).toMatch(/<p lang="en" style="[^"]*">Hello/);
    expect(html).toMatch(/<p lang="es" style="[^"]*">¡Hola/);
  });
});

/** A school whose verifier and volunteer read a language: hours and an idea wait there, and both want letters. */
async function aVerifyingSchool(language: Language) {
  const place = await aSchool(app, { verification: 'on' });
  const verifier = await aReader(language, { schools: [] });
  await aGrant(app, verifier, 'school-admin', place);
  const volunteer = await aReader(language, { schools: [place] });
  await waits(volunteer, await anActivity(app, { school: place }));
  await aSuggestion(app, { by: volunteer, school: place });
  const wanted = { decisions: true, digest: true };
  await app.call('PUT /api/my-activity-suggestions/mail', { token: verifier.token, body: wanted });
  await app.call('PUT /api/profile/reminders', { token: volunteer.token, body: { weekly: true } });
  return { verifier, volunteer };
}

async function waits(by: Person, activity: Awaited<ReturnType<typeof anActivity>>): Promise<void> {
  const { id } = await anEntry(app, { by, activity, hours: 2.5 });
  const { db } = app.deps.database;
  await db.updateTable('time_entries').set({ verification: 'waiting' }).where('id', '=', id).execute();
}
