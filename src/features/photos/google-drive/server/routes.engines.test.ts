import { expect, test } from 'vitest';
import { anAdministrator } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';

const CLIENT = { GOOGLE_CLIENT_ID: 'district.apps.example', GOOGLE_CLIENT_SECRET: 'secret-of-the-district' };

test('before a Google client is set up, the status has the redirect URL but connecting returns 409', async () => {
  const app = await startApp({ PUBLIC_URL: 'https://hours.example.org' });
  const { token } = await anAdministrator(app);
  const { body } = await app.call('GET /api/admin/google-drive/status', { token });
  expect(body).toEqual({
    configured: false,
    connected: false,
    lost: false,
    account: null,
    connectedAt: null,
    connectedBy: null,
    redirectUrl: 'https://hours.example.org/api/google-drive/callback',
    problem: null,
    folder: null,
    newFolder: 'Volunteer photos of Maple Grove Schools',
    nightly: false,
  });
  const url = await app.call('GET /api/admin/google-drive/auth-url', { token });
  expect([url.status, url.body.error]).toEqual([
    409,
    "Google Drive is not set up on this server. The person who runs it has to enter Google's client ID and secret first.",
  ]);
});

test('the consent URL contains a PKCE challenge, the file scope and the redirect URL', async () => {
  const app = await startApp({ ...CLIENT, PUBLIC_URL: 'https://hours.example.org' });
  const { token } = await anAdministrator(app);
  const { body } = await app.call('GET /api/admin/google-drive/auth-url', { token });
  const url = new URL(body.authUrl);
  expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    access_type: 'offline',
    prompt: 'consent',
    response_type: 'code',
    client_id: 'district.apps.example',
    redirect_uri: 'https://hours.example.org/api/google-drive/callback',
    scope: 'https://www.googleapis.com/auth/drive.file',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(body.authUrl).not.toContain('secret-of-the-district');
});

test('a sync is rejected without activities, or while Drive is not connected', async () => {
  const app = await startApp(CLIENT);
  const { token } = await anAdministrator(app);
  const call = 'POST /api/admin/google-drive/sync-activities';
  const { status, body } = await app.call(call, { token, body: { activityIds: [1] } });
  expect([status, body.error]).toEqual([
    409,
    'Google Drive is not connected. Please try the connection process again.',
  ]);
  const none = await app.call(call, { token, body: { activityIds: [] } });
  expect([none.status, none.body.error]).toEqual([400, 'Please select an activity to sync']);
});

test('the OAuth callback rejects an unknown state', async () => {
  const app = await shared;
  const { status, text, headers } = await app.call(
    `GET /api/google-drive/callback?state=${'x'.repeat(43)}&code=4%2Fabc`,
  );
  expect(status).toBe(400);
  expect(text).toContain('Connection request is invalid or expired');
  expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'unsafe-none', 'cache-control': 'no-store' });
});

const shared = startApp(CLIENT);
