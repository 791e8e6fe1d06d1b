import { describe, expect, test } from 'vitest';
import { appWithOutages } from '#test/fault-injection.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { startMailServer } from '#test/mail-server.ts';
import { sendMail } from '#test/sent-emails.ts';

const server = await startMailServer();
const app = await startApp({
  SMTP_URL: server.url,
  SUPPORT_EMAIL: 'help@maplegrove.example',
  DISTRICT_NAME: 'Maple & Grove',
});

const TOLD = { what: 'The menu does not open', where: 'On the phone', contact: 'rosa@example.org' };
const networks = { next: 0 };
/** A network that nobody has written from. */
const aNetwork = () => `203.0.${Math.floor(++networks.next / 200)}.${networks.next % 200}`;

function tell(form: Record<string, string>, { from = aNetwork(), query = '', at = app } = {}) {
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return at.call(`POST /accessibility${query}`, { body, from, headers });
}

const waiting = ({ deps }: TestApp) =>
  deps.database.db
    .selectFrom('emails')
    .selectAll()
    .where('kind', '=', 'accessibility')
    .orderBy('id')
    .execute();

const plain = (html: string) => html.replaceAll(/<style>.*?<\/style>/gs, '').replaceAll(/<[^>]*>|\s+/g, ' ');

describe('the accessibility page', () => {
  test("is public, needs no JavaScript, and uses the link's or the browser's language", async () => {
    const read = async (query: string, language: string) => {
      const reply = await app.call(`GET /accessibility${query}`, {
        headers: { 'accept-language': language },
      });
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(reply.text).not.toContain('<script');
      return reply.text;
    };
    const english = await read('', 'en');
    expect(english).toContain('<html lang="en">');
    expect(english).toContain('<title>Accessibility - Maple &amp; Grove</title>');
    expect(english).toContain('<a href="mailto:help@maplegrove.example">help@maplegrove.example</a>');
    expect(english).toMatch(/Web Content Accessibility Guidelines \(WCAG\) 2\.2, level AA/);
    expect(english).toContain('href="/accessibility?lang=es" lang="es"');
    expect(await read('?lang=es', 'en')).toContain('<html lang="es">');
    expect(await read('', 'es-MX')).toContain('<h1>Accesibilidad</h1>');
    expect(await read('?lang=xx%00', 'de')).toContain('<html lang="en">');
    const kept = { 'accept-language': 'en', cookie: 'language=es' };
    expect((await app.call('GET /accessibility', { headers: kept })).text).toContain('<html lang="es">');
  });

  test('loads nothing from other sites, and cannot be framed or cached', async () => {
    const { headers } = await app.call('GET /accessibility');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
  });

  test('shows the support address instead of the form if email is not set up', async () => {
    const without = await startApp({ SUPPORT_EMAIL: 'office@maplegrove.example' });
    const { text } = await without.call('GET /accessibility');
    expect(text).toContain('mailto:office@maplegrove.example');
    expect(text).not.toContain('<form');
    // Of a page that was opened before.
    const reply = await tell(TOLD, { at: without });
    expect(reply.status).toBe(503);
    expect(plain(reply.text)).toContain('Please try again in a few minutes, or email');
    expect(await waiting(without)).toEqual([]);
  });
});

describe('accessibility feedback', () => {
  test('is encrypted, emailed to the support address, and then deleted', async () => {
    const what = 'The menu <b>does not</b> open.\n\nIt says “?”\u0000';
    const reply = await tell({ ...TOLD, what }, { query: '?lang=es' });
    expect([reply.status, plain(reply.text)]).toEqual([200, expect.stringContaining('¡Gracias!')]);
    expect(plain(reply.text)).not.toContain('nadie le podrá responder');
    const [stored] = await waiting(app);
    expect(stored).toMatchObject({ user_id: null, sent_at: null });
    expect(JSON.stringify(stored)).not.toMatch(/menu|rosa|help@/);
    await sendMail(app);
    const [letter] = await server.wait(1);
    expect(letter).toMatchObject({
      to: [{ name: 'Maple & Grove', address: 'help@maplegrove.example' }],
      subject: 'Accessibility problem reported for Volunteer Time Tracker',
    });
    for (const said of [
      'The menu <b>does not</b> open.',
      'It says “?”',
      'Where: On the phone',
      'How to reach them: rosa@example.org',
      'in this language: Spanish',
      'without signing in',
    ]) {
      expect(letter?.text).toContain(said);
    }
    expect(letter?.html).toContain('&lt;b&gt;does not&lt;/b&gt;');
    expect((await waiting(app))[0]).toMatchObject({ sealed: null, sent_at: app.clock.now() });
  });

  test('is retried for two weeks while the mail server is down, and then dropped', async () => {
    const own = await startMailServer();
    const later = await startApp({ SMTP_URL: own.url });
    const sentAfter = async (milliseconds: number) => {
      own.setMood('temporary');
      await tell(TOLD, { at: later });
      await sendMail(later);
      expect((await waiting(later)).at(-1)).toMatchObject({ sent_at: null, dropped_at: null });
      own.setMood('accept');
      later.clock.advance(milliseconds);
      await sendMail(later);
      return (await waiting(later)).at(-1);
    };
    const twoWeeks = 14 * 86_400_000;
    expect(await sentAfter(twoWeeks - 1)).toMatchObject({ sent_at: later.clock.now() });
    expect(await own.letters()).toHaveLength(1);
    expect(await sentAfter(twoWeeks)).toMatchObject({ sealed: null, sent_at: null, failure: 'expired' });
    expect(await own.letters()).toHaveLength(1);
  });

  test('requires only the problem, and warns that anonymous feedback gets no answer', async () => {
    const reply = await tell({ what: 'Too small' });
    expect(reply.status).toBe(200);
    expect(plain(reply.text)).toContain('no one can answer you');
  });

  test('is not sent if a field is invalid, and shows each error at its field', async () => {
    const before = (await waiting(app)).length;
    const typed = { what: ' \u202E ', where: 'w'.repeat(201), contact: '"><script>' };
    const { status, text } = await tell(typed);
    expect(status).toBe(400);
    expect(text).toContain('role="alert" tabindex="-1" autofocus');
    expect(text).toMatch(
      /<textarea id="what"[^>]*aria-invalid="true" aria-describedby="what-problem what-help"/,
    );
    expect(text).toContain('id="what-problem">Please tell us what doesn&#39;t work.');
    expect(text).toContain('id="where-problem">Please use up to 200 characters.');
    expect(text).toContain(`value="${'w'.repeat(201)}"`);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(text).not.toContain('<script');
    const empty = await app.call('POST /accessibility', { from: aNetwork() });
    expect(empty.status).toBe(400);
    expect(await waiting(app)).toHaveLength(before);
  });

  test('is rejected if its body is not a form or is too large', async () => {
    const json = await app.call('POST /accessibility', { body: TOLD, from: aNetwork() });
    expect([400, 415]).toContain(json.status);
    expect((await tell({ what: 'x'.repeat(100_000) })).status).toBe(413);
  });

  test('is limited to 20 messages an hour per network, without losing the input', async () => {
    const from = aNetwork();
    for (let at = 0; at < 20; at++) expect((await tell(TOLD, { from })).status).toBe(200);
    const before = (await waiting(app)).length;
    const paused = await tell({ ...TOLD, what: 'One more' }, { from });
    expect([paused.status, Number(paused.headers['retry-after'])]).toEqual([429, 900]);
    expect(paused.text).toContain('>One more</textarea>');
    expect(plain(paused.text)).toContain('or email help@maplegrove.example');
    expect(await waiting(app)).toHaveLength(before);
    expect((await tell(TOLD)).status).toBe(200);
  });

  test('keeps the input while the database is down, and can be sent again afterward', async () => {
    const { app: weak, outage } = await appWithOutages({ SMTP_URL: server.url });
    await outage.begin();
    const refused = await tell(TOLD, { at: weak });
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('>The menu does not open</textarea>');
    expect(plain(refused.text)).toContain('can’t take your message right now, so it was not sent.');
    await outage.mend();
    expect((await tell(TOLD, { at: weak })).status).toBe(200);
  });

  test('is limited to 200 messages an hour in total, even if 400 arrive at once', async () => {
    const busy = await startApp({ SMTP_URL: server.url });
    const replies = await Promise.all(Array.from({ length: 400 }, () => tell(TOLD, { at: busy })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(200);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(200);
    expect(await waiting(busy)).toHaveLength(200);
  });
});
