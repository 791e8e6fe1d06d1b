import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, test, vi } from 'vitest';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { atEnd, startApp, type TestApp } from '#test/harness.ts';
import { MAILER, startMailServer } from '#test/mail-server.ts';
import { fileNames, sendMail } from '#test/sent-emails.ts';
import { transaction } from '../db/database.ts';
import { sendDueEmails, startEmailWorker } from './email-worker.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { deleteOldEmails, LEASE_MS, leaseDueEmails, queueEmail } from './outbox.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FROM = { MAIL_FROM: 'Maple Hours <hours@maplegrove.example>' };

async function anAppBehind(url: string, settings: Record<string, string> = {}) {
  return startApp({ SMTP_URL: url, ...FROM, ...settings });
}

function later(app: TestApp, milliseconds: number): Instant {
  return instantOf(millisecondsOf(app.clock.now()) + milliseconds);
}

async function aLetter(app: TestApp, given: { subject?: string; to?: string; expiresAt?: Instant } = {}) {
  const { subject = 'News', to = 'ann@maplegrove.example', expiresAt = later(app, 72 * HOUR) } = given;
  await transaction(app.deps.database, (trx) =>
    queueEmail(trx, app.deps, {
      kind: 'test',
      userId: null,
      letter: {
        to: { name: 'Ann "Anna" Núñez, Jr.', address: to },
        language: 'en',
        subject,
        paragraphs: ['Hello <b>Ann</b> & friends,', 'Grüße aus der Schule.'],
        button: { label: 'Open it', url: 'https://hours.example.org/?token=abc&x=1' },
        footnotes: ['Questions? Ask "us".'],
      },
      at: app.clock.now(),
      expiresAt,
    }),
  );
}

async function mailIn(app: TestApp) {
  return app.deps.database.db.selectFrom('emails').selectAll().orderBy('id').execute();
}

describe('an email', () => {
  // Addresses from before such ones were refused.
  test.each(['x:ann@maplegrove.example', 'ann@maplegrove.example(', '(coach)ann@maplegrove.example'])(
    'to %s is not delivered to an address contained in it',
    async (to) => {
      const server = await startMailServer();
      const app = await anAppBehind(server.url);
      await aLetter(app, { to });
      await sendMail(app);
      expect(server.recipients()).not.toContain('ann@maplegrove.example');
    },
  );

  test('is sent over SMTP as text and as HTML with escaped user input', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    await aLetter(app, { subject: 'Café\r\nBcc: everybody@maplegrove.example' });
    await sendMail(app);
    const [letter] = await server.letters();
    expect(letter).toMatchObject({
      from: { name: 'Maple Hours', address: 'hours@maplegrove.example' },
      to: [{ name: 'Ann "Anna" Núñez, Jr.', address: 'ann@maplegrove.example' }],
      date: '2026-03-04T18:00:00.000Z',
      text: expect.stringContaining('https://hours.example.org/?token=abc&x=1'),
    });
    expect(letter?.subject).toContain('Café');
    expect(letter?.bcc).toBeUndefined();
    expect(letter?.text).toContain('Grüße aus der Schule.');
    expect(letter?.html).toContain('Hello &lt;b&gt;Ann&lt;/b&gt; &amp; friends,');
    expect(letter?.html).toContain('href="https://hours.example.org/?token=abc&amp;x=1"');
    expect(letter?.html).toContain('width=device-width');
    expect(letter?.html).not.toMatch(/<table|<script|<img/);
    expect(letter?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  });

  test('is encrypted while queued, and its content is deleted once sent', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    await aLetter(app);
    expect(JSON.stringify(await mailIn(app))).not.toMatch(/token=abc|ann@/);
    await sendMail(app);
    expect(await mailIn(app)).toMatchObject([{ sealed: null, sent_at: app.clock.now(), attempts: 1 }]);
    await sendMail(app);
    expect(server.raw()).toHaveLength(1);
  });

  test('without a mail server is written to a private file with the bytes that SMTP would send', async () => {
    const server = await startMailServer();
    const [bySmtp, byFile] = [await anAppBehind(server.url), await startApp(FROM)];
    await aLetter(bySmtp);
    await aLetter(byFile);
    // Two letters differ only in which one they are.
    const [row] = await mailIn(bySmtp);
    await byFile.deps.database.db
      .updateTable('emails')
      .set({ message_id: row?.message_id ?? '' })
      .execute();
    await sendMail(bySmtp);
    await sendMail(byFile);
    const [name = ''] = fileNames(byFile);
    const path = join(byFile.dataDir, 'outbox', name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.new`)).toBe(false);
    const bytes = readFileSync(path, 'utf8');
    expect(bytes.trimEnd()).toBe(server.raw()[0]?.trimEnd());
    expect((await PostalMime.parse(bytes)).subject).toBe('News');
  });

  test('is dropped if it expires before it can be sent', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    await aLetter(app, { expiresAt: later(app, HOUR) });
    app.clock.advance(HOUR);
    await sendMail(app);
    expect(server.tries()).toBe(0);
    expect(await mailIn(app)).toMatchObject([{ sealed: null, failure: 'expired', sent_at: null }]);
  });

  test('is dropped if its key is lost, and does not block others', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    await aLetter(app);
    await app.deps.database.db
      .updateTable('emails')
      .set({ sealed: 'x'.repeat(80) })
      .execute();
    await aLetter(app, { subject: 'Readable' });
    await sendMail(app);
    expect((await server.letters()).map((letter) => letter.subject)).toEqual(['Readable']);
    expect((await mailIn(app))[0]).toMatchObject({ sealed: null, failure: 'sealed with another key' });
  });

  test('is deleted after a month', async () => {
    const app = await startApp(FROM);
    await aLetter(app);
    await sendMail(app);
    app.clock.advance(31 * 24 * HOUR);
    await transaction(app.deps.database, (trx) => deleteOldEmails(trx, app.clock.now()));
    expect(await mailIn(app)).toEqual([]);
  });
});

describe('a mail server that', () => {
  test('replies "later" is retried after pauses of up to six hours, with the same Message-ID', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    server.setMood('temporary');
    await aLetter(app);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt++) {
      await sendMail(app);
      expect(server.tries()).toBe(attempt);
      const [row] = await mailIn(app);
      expect(row?.failure).toBe('EENVELOPE 451');
      const pause = millisecondsOf(row?.due_at ?? app.clock.now()) - millisecondsOf(app.clock.now());
      pauses.push(pause / MINUTE);
      app.clock.advance(pause - 1);
      await sendMail(app);
      expect(server.tries()).toBe(attempt);
      app.clock.advance(1);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
    const [{ message_id } = { message_id: '' }] = await mailIn(app);
    server.setMood('accept');
    await sendMail(app);
    expect((await server.letters()).map((letter) => letter.messageId)).toEqual([`<${message_id}>`]);
  });

  test.each([
    ['the recipient', 'permanent', 'EENVELOPE 550'],
    ['the content', 'unwilling', 'EMESSAGE 554'],
  ] as const)('permanently rejects %s does not get the email again', async (_what, mood, failure) => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    server.setMood(mood);
    await aLetter(app);
    await sendMail(app);
    app.clock.advance(12 * HOUR);
    server.setMood('accept');
    await sendMail(app);
    expect(server.tries()).toBe(1);
    // It is kept for an administrator to send once more, until it expires.
    const [kept] = await mailIn(app);
    expect(kept).toMatchObject({ sealed: expect.any(String), sent_at: null, failure, attempts: 1 });
    app.clock.advance(96 * HOUR);
    await sendMail(app);
    expect(await mailIn(app)).toMatchObject([{ sealed: null, sent_at: null, failure: 'expired' }]);
    expect(server.tries()).toBe(1);
  });

  test('fails during an email, or cannot be reached, gets the email again', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    await aLetter(app);
    server.setMood('die');
    await sendMail(app);
    const [first] = await mailIn(app);
    await server.stop();
    app.clock.advance(HOUR);
    await sendMail(app);
    const [second] = await mailIn(app);
    expect([first?.attempts, second?.attempts]).toEqual([1, 2]);
    expect([first?.sealed, second?.sealed]).not.toContain(null);
    const back = await startMailServer({ port: server.port });
    app.clock.advance(HOUR);
    await sendMail(app);
    expect((await back.letters()).map((letter) => letter.messageId)).toEqual([`<${first?.message_id}>`]);
  });

  test('hangs times out after 90 seconds, and the email is sent later', async () => {
    const app = await anAppBehind('smtp://127.0.0.1:1');
    await aLetter(app, { subject: 'Hangs' });
    await aLetter(app, { subject: 'Goes' });
    const limits: number[] = [];
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      limits.push(milliseconds);
      return timeout(50);
    });
    const delivered: string[] = [];
    const courier: Mailer = {
      deliver: ({ raw }) => {
        if (raw.includes('Subject: Hangs')) return new Promise(() => {});
        delivered.push('Goes');
        return Promise.resolve({ how: 'sent' });
      },
      close: () => undefined,
    };
    const never = new AbortController().signal;
    try {
      await sendDueEmails(app.deps, courier, { soon: never, now: never });
    } finally {
      vi.restoreAllMocks();
    }
    expect(limits).toEqual([90_000, 90_000]);
    expect(limits[0]).toBeLessThan(LEASE_MS);
    expect(delivered).toEqual(['Goes']);
    const [hung] = await mailIn(app);
    expect(hung).toMatchObject({ attempts: 1, sent_at: null, sealed: expect.anything() });
    expect(await leaseDueEmails(app.deps, 5)).toEqual([]);
    app.clock.advance(6 * HOUR);
    expect(await leaseDueEmails(app.deps, 5)).toMatchObject([{ attempts: 2 }]);
  });

  test('hangs before the email was written does not delay a server that is shutting down', async () => {
    const app = await anAppBehind('smtp://127.0.0.1:1');
    await aLetter(app);
    const soon = new AbortController();
    const deliver = () => {
      soon.abort();
      return new Promise<never>(() => {});
    };
    const courier: Mailer = { deliver, close: () => undefined };
    await sendDueEmails(app.deps, courier, { soon: soon.signal, now: AbortSignal.abort() });
    expect(await leaseDueEmails(app.deps, 5)).toMatchObject([{ attempts: 1 }]);
  }, 10_000);

  test('is slow does not delay other email: several are sent in parallel', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    server.setMood('slow');
    for (let i = 0; i < 3; i++) await aLetter(app);
    const sending = sendMail(app);
    while (server.tries() < 3) await new Promise((resume) => setTimeout(resume, 5));
    // Sent one after the other, two would have arrived before the third was started.
    expect(server.raw().length).toBeLessThan(2);
    await sending;
    expect(server.raw()).toHaveLength(3);
  });

  test('requires TLS and a login gets email only with both', async () => {
    const server = await startMailServer({ isStrict: true });
    const { user, pass } = MAILER;
    const address = `127.0.0.1:${server.port}/?requireTLS=true&tls.rejectUnauthorized=false`;
    const app = await anAppBehind(`smtp://${user}:${pass}@${address}`);
    await aLetter(app);
    await sendMail(app);
    expect(server.raw()).toHaveLength(1);
    expect(server.raw()[0]).toMatch(/^Received|^From|^Message-ID|^Auto-Submitted/m);

    // A refused login depends on the settings, not on the letter, which waits until they are right.
    const stranger = await anAppBehind(`smtp://${user}:wrong@${address}`);
    await aLetter(stranger);
    await sendMail(stranger);
    expect(await mailIn(stranger)).toMatchObject([{ failure: 'EAUTH 535', sent_at: null, dropped_at: null }]);

    const careful = await anAppBehind(`smtp://${user}:${pass}@127.0.0.1:${server.port}`);
    await aLetter(careful);
    await sendMail(careful);
    expect(await mailIn(careful)).toMatchObject([{ sent_at: null, dropped_at: null, attempts: 1 }]);
    expect(server.raw()).toHaveLength(1);
  });
});

describe('two workers on one database', () => {
  test('send each email once', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    for (let i = 0; i < 20; i++) await aLetter(app, { subject: `Letter ${i}` });
    await Promise.all([sendMail(app), sendMail(app), sendMail(app)]);
    const subjects = (await server.letters()).map((letter) => letter.subject);
    expect(subjects).toHaveLength(20);
    expect(new Set(subjects).size).toBe(20);
    expect((await mailIn(app)).map((row) => row.attempts)).toEqual(Array.from({ length: 20 }, () => 1));
  });

  test('do not send an email that the other has leased until the lease ends', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    await aLetter(app);
    expect(await leaseDueEmails(app.deps, 5)).toHaveLength(1);
    app.clock.advance(LEASE_MS - 1);
    await sendMail(app);
    expect(server.tries()).toBe(0);
    app.clock.advance(1);
    await sendMail(app);
    expect(server.raw()).toHaveLength(1);
  });
});

describe('the email worker', () => {
  test('finds queued email by itself, and finishes the current one before it stops', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    const worker = startEmailWorker(app.deps);
    await aLetter(app);
    await server.wait(1);
    server.setMood('slow');
    await aLetter(app);
    while (server.tries() < 2) await new Promise((resume) => setTimeout(resume, 10));
    await worker.stop();
    expect(server.raw()).toHaveLength(2);
    expect((await mailIn(app)).every((row) => row.sent_at !== null)).toBe(true);
    await aLetter(app);
    // A running worker has found two further letters one after the other; one that had not stopped would have found
    // them too.
    const other = await startMailServer();
    const running = await anAppBehind(other.url);
    atEnd(startEmailWorker(running.deps).stop);
    for (const letters of [1, 2]) {
      await aLetter(running);
      await other.wait(letters);
    }
    expect(server.raw()).toHaveLength(2);
  });

  test('returns its email to the queue immediately when aborted', async () => {
    const server = await startMailServer();
    const app = await anAppBehind(server.url);
    server.setMood('slow');
    await aLetter(app);
    const cut = new AbortController();
    const courier = createMailer(app.deps);
    const sending = sendDueEmails(app.deps, courier, { soon: cut.signal, now: cut.signal });
    while (server.tries() < 1) await new Promise((resume) => setTimeout(resume, 10));
    cut.abort();
    await sending;
    courier.close();
    expect(await mailIn(app)).toMatchObject([{ leased_until: null, attempts: 0, sent_at: null }]);
  });
});
