import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { escapeHtml } from '#server/http/html.ts';
import { anActivity, aPerson, aSchool } from '#test/builders.ts';
import type { Google } from '#test/google/fake-google.ts';
import {
  aStoredPhoto,
  authUrlOf,
  besideGoogle,
  comeBack,
  connect,
  connectedToGoogle,
  statusOf,
  sync,
} from '#test/google-drive.ts';
import type { TestApp } from '#test/harness.ts';

const DISCONNECT = 'POST /api/admin/google-drive/disconnect';
const INVALID = 'Connection request is invalid or expired';

const authUrl = (app: TestApp, token: string) => authUrlOf(app, { token });

const recorded = (app: TestApp) =>
  app.deps.database.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'after'])
    .where('subject', '=', 'drive')
    .orderBy('id')
    .execute();

describe('the OAuth callback', () => {
  test("connects the account's Drive after consent and records an audit event", async () => {
    const made = await besideGoogle();
    const { app, admin } = made;
    const page = await connect(made);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Google Drive is connected</h1>');
    expect(await statusOf(app, admin)).toMatchObject({
      configured: true,
      connected: true,
      lost: false,
      account: 'photos@maplegrove.example',
      connectedBy: { id: admin.id, firstName: 'Ada' },
      problem: null,
    });
    expect(await recorded(app)).toEqual([{ action: 'drive.connect', actor_id: admin.id, after: null }]);
  });

  test('returns a page that sends its opener only the outcome, and may run only its own script', async () => {
    const made = await besideGoogle({ PUBLIC_URL: 'http://127.0.0.1:3000' });
    const { text, headers } = await connect(made);
    const policy = String(headers['content-security-policy']);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}'`);
    expect(policy).not.toContain('unsafe');
    const posted: unknown[] = [];
    const post = (...sent: unknown[]) => posted.push(sent);
    const [, dataset = ''] = /<body([^>]*)>/.exec(text) ?? [];
    runInNewContext(script, {
      document: {
        body: {
          dataset: Object.fromEntries(
            [...dataset.matchAll(/data-(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
          ),
        },
      },
      window: { opener: { postMessage: post }, close: () => undefined },
      BroadcastChannel: class {
        postMessage = post;
      },
      setTimeout: () => undefined,
    });
    const outcome = { type: 'google-drive-connection', ok: true };
    expect(posted).toEqual([[outcome, 'http://127.0.0.1:3000'], [outcome]]);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('still works after a HEAD request', async () => {
    const { app, google, admin } = await besideGoogle();
    const { pathname, search } = new URL(await google.consent(await authUrl(app, admin.token)));
    expect((await app.call(`HEAD ${pathname}${search}`)).status).toBeGreaterThan(400);
    expect((await comeBack(app, `http://x${pathname}${search}`)).status).toBe(200);
  });

  test('does not connect if consent is denied, and shows the reason only to that administrator', async () => {
    const { app, google, admin } = await besideGoogle();
    const page = await comeBack(app, await google.consent(await authUrl(app, admin.token), 'deny'));
    expect([page.status, page.text.includes('data-ok="false"')]).toEqual([200, true]);
    expect(await statusOf(app, admin)).toMatchObject({
      connected: false,
      problem: 'Access to Google Drive was declined',
    });
    const colleague = await aPerson(app, { role: 'admin' });
    expect((await statusOf(app, colleague)).problem).toBeNull();
  });

  test('asks to leave the Google Drive box checked after partial consent', async () => {
    const made = await besideGoogle();
    made.google.state.grantedScope = 'openid';
    expect((await connect(made)).text).toContain('leave the box for Google Drive checked');
    expect((await statusOf(made.app, made.admin)).connected).toBe(false);
  });

  test.each([
    ['about', 'off', 'The Google Drive API is not turned on'],
    ['about', 'broken', "Google can't be reached right now"],
    ['token', 'unauthorized', 'Sync failed'],
  ] as const)('shows the cause if the %s request to Google fails: %s', async (step, fault, said) => {
    const made = await besideGoogle();
    made.google.faults.plan(step, fault, { times: 9 });
    expect((await connect(made)).text).toContain(escapeHtml(said));
    expect((await statusOf(made.app, made.admin)).connected).toBe(false);
  });

  test('does not connect if the session ends during the request to Google', async () => {
    const made = await besideGoogle({}, { slownessMs: 1000 });
    const { app, admin, google } = made;
    const address = await google.consent(await authUrl(app, admin.token));
    const coming = comeBack(app, address);
    const used = () =>
      app.deps.database.db.selectFrom('drive_attempts').select('used_at').executeTakeFirstOrThrow();
    await expect.poll(async () => (await used()).used_at).not.toBeNull();
    await app.call('POST /api/auth/logout', { token: admin.token });
    expect((await coming).text).toContain(INVALID);
    const kept = await app.deps.database.db.selectFrom('drive_connection').selectAll().execute();
    expect(kept).toEqual([]);
  });

  test('explains that Google rejects a wrong client secret', async () => {
    const made = await besideGoogle({ GOOGLE_CLIENT_SECRET: 'an-old-one' });
    expect((await connect(made)).text).toContain('Google does not accept this server');
  });
});

describe('the OAuth callback is rejected', () => {
  test.each([
    ['in another browser than the one that started it', undefined],
    ['in a browser that started its own connection', 'own'],
  ])('%s', async (_, own) => {
    const { app, google, admin } = await besideGoogle();
    const address = await google.consent(await authUrl(app, admin.token));
    const headers = { cookie: `vtt-sign-in=${own === undefined ? '' : 'x'.repeat(43)}` };
    const { pathname, search } = new URL(address);
    const page = await app.call(`GET ${pathname}${search}`, { headers });
    expect([page.status, page.text.includes(INVALID)]).toEqual([400, true]);
    expect((await statusOf(app, admin)).connected).toBe(false);
    // The first return has used it up.
    expect((await comeBack(app, address)).status).toBe(400);
  });

  test.each<[string, (made: Made, url: string) => Promise<string>]>([
    ['with an unknown state', async ({ google }, url) => forged(await google.consent(url))],
    [
      'when it is used a second time',
      async ({ app, google }, url) => {
        const address = await google.consent(url);
        await comeBack(app, address);
        return address;
      },
    ],
    [
      'after ten minutes',
      async ({ app, google }, url) => {
        const address = await google.consent(url);
        app.clock.advance(600_000);
        return address;
      },
    ],
    [
      'after the administrator signed out',
      async ({ app, google, admin }, url) => {
        await app.call('POST /api/auth/logout', { token: admin.token });
        return google.consent(url);
      },
    ],
    [
      'after the administrator lost the role',
      async ({ app, google, admin }, url) => {
        await app.deps.database.db
          .updateTable('users')
          .set({ role: 'user' })
          .where('id', '=', admin.id)
          .execute();
        return google.consent(url);
      },
    ],
    [
      'with the code of another administrator',
      async ({ app, google }, url) => {
        const other = await aPerson(app, { role: 'admin' });
        const theirs = new URL(await google.consent(await authUrl(app, other.token)));
        const address = new URL(await google.consent(url));
        address.searchParams.set('code', theirs.searchParams.get('code') ?? '');
        return address.href;
      },
    ],
    [
      'without a code',
      async ({ google }, url) => (await google.consent(url)).replace(/([?&])code=[^&]*/, '$1nothing=1'),
    ],
  ])('%s', async (what, addressOf) => {
    const made = await besideGoogle();
    const address = await addressOf(made, await authUrl(made.app, made.admin.token));
    const before = await recorded(made.app);
    const timesAsked = () => made.google.requests.filter(({ step }) => step === 'token').length;
    const asked = timesAsked();
    const page = await comeBack(made.app, address);
    expect([page.status, page.text.includes(INVALID)]).toEqual([400, true]);
    // Only Google can tell whether a code belongs to the request.
    expect(timesAsked() - asked).toBe(what.includes('another administrator') ? 1 : 0);
    expect(await recorded(made.app)).toEqual(before);
  });
});

describe('Drive connection', () => {
  test('never stores or returns its tokens in plain text', async () => {
    const made = await connectedToGoogle();
    const { app, google, admin } = made;
    const tokens = [...google.state.refreshTokens.keys(), ...google.state.accessTokens.keys()];
    expect(tokens).toHaveLength(2);
    const kept = JSON.stringify([
      await app.deps.database.db.selectFrom('drive_connection').selectAll().execute(),
      await app.deps.database.db.selectFrom('drive_attempts').selectAll().execute(),
      await app.deps.database.db.selectFrom('audit_events').selectAll().execute(),
      await statusOf(app, admin),
    ]);
    for (const token of tokens) expect(kept).not.toContain(token);
  });

  test('is revoked at Google and deleted when an administrator disconnects', async () => {
    const { app, google, admin } = await connectedToGoogle();
    const { status, body } = await app.call(DISCONNECT, { token: admin.token });
    expect([status, body.message]).toEqual([200, 'Google Drive disconnected']);
    expect(body.status).toMatchObject({ connected: false, lost: false, account: null, problem: null });
    expect([google.state.refreshTokens.size, google.state.accessTokens.size]).toEqual([0, 0]);
    const again = await app.call(DISCONNECT, { token: admin.token });
    expect(again.status).toBe(409);
    expect((await recorded(app)).map(({ action }) => action)).toEqual(['drive.connect', 'drive.disconnect']);
  });

  test('is deleted even if Google is unreachable, with a hint to remove the access at Google', async () => {
    const { app, google, admin } = await connectedToGoogle();
    await google.close();
    const { body } = await app.call(DISCONNECT, { token: admin.token });
    expect(body.message).toContain('remove the access at myaccount.google.com/connections');
    expect(body.status.connected).toBe(false);
  });

  test('is shown as lost when Google rejects its tokens, until the administrator connects again', async () => {
    const made = await connectedToGoogle();
    const { app, google, admin } = made;
    const { activity } = await anActivityWithPhoto(made);
    google.revokeAll();
    const { status, body } = await sync(app, admin, [activity]);
    expect([status, body.error]).toEqual([
      409,
      'Google Drive is not connected. Please try the connection process again.',
    ]);
    expect(await statusOf(app, admin)).toMatchObject({
      connected: false,
      lost: true,
      account: 'photos@maplegrove.example',
    });
    await connect(made);
    expect((await sync(app, admin, [activity])).body).toMatchObject({ success: true });
  });

  test('is deleted with the account of the administrator who connected it', async () => {
    const made = await besideGoogle();
    const { app, google, admin } = made;
    const person = await aPerson(app, { role: 'admin', email: 'Grace@maplegrove.example' });
    google.state.account = 'grace@maplegrove.example';
    await connect({ ...made, admin: person });
    const own = await app.call('GET /api/profile/data', { token: person.token });
    expect(own.status).toBe(200);
    expect(own.text).toContain('grace@maplegrove.example');
    await app.call(`POST /api/admin/users/${person.id}/erase`, { token: admin.token });
    expect(await statusOf(app, admin)).toMatchObject({ connected: false, lost: false, account: null });
    const rest = await app.deps.database.db.selectFrom('drive_attempts').selectAll().execute();
    expect(rest).toEqual([]);
  });
});

type Made = { app: TestApp; google: Google; admin: { id: number; token: string } };

function forged(address: string): string {
  const url = new URL(address);
  url.searchParams.set('state', 'x'.repeat(43));
  return url.href;
}

async function anActivityWithPhoto({ app, admin }: Made) {
  const activity = await anActivity(app, { school: await aSchool(app) });
  await aStoredPhoto(app, { by: admin, activity });
  return { activity };
}
