import { createHash } from 'node:crypto';
import { type State, unguessable } from './fake-state.ts';
import { type Answer, type Asked, escaped, GoogleError, json, oauthError, page } from './replies.ts';

/** The registered client, with the URLs that it may redirect to. */
export type Registered = Readonly<{
  clientId: string;
  clientSecret: string;
  isRedirectUrl: (address: string) => boolean;
}>;

const SCOPES = ['https://www.googleapis.com/auth/drive.file'];
const TOKEN_SECONDS = 3599;

/** The consent page. Throws unless the app's request is exactly right. */
export function consentPage(registered: Registered, state: State, { url }: Asked): Answer {
  checkConsent(registered, url.searchParams);
  const fields = [...url.searchParams]
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('');
  return page(
    'Stand-in for Google',
    `<p>Volunteer Time Tracker wants to see and change the files in Google Drive that it made, as <b>${escaped(state.account)}</b>.</p>
<p>This page belongs to the demo: nothing leaves this machine.</p>
<form action="/consent" method="get">${fields}<button name="answer" value="allow">Allow</button><button name="answer" value="deny">Cancel</button></form>`,
  );
}

/** The redirect back to the app after a person allowed or denied access. */
export function consented(registered: Registered, state: State, { url }: Asked): Answer {
  const given = url.searchParams;
  checkConsent(registered, given);
  const back = new URL(given.get('redirect_uri') ?? '');
  back.searchParams.set('state', given.get('state') ?? '');
  if (given.get('answer') === 'allow') {
    const code = unguessable('4/0');
    state.codes.set(code, {
      account: state.account,
      clientId: given.get('client_id') ?? '',
      redirectUri: given.get('redirect_uri') ?? '',
      challenge: given.get('code_challenge') ?? '',
      scope: state.grantedScope ?? given.get('scope') ?? '',
      isOffline: given.get('access_type') === 'offline' && given.get('prompt') === 'consent',
    });
    back.searchParams.set('code', code);
    back.searchParams.set('scope', given.get('scope') ?? '');
  } else {
    back.searchParams.set('error', 'access_denied');
  }
  return { status: 302, headers: { location: back.href } };
}

/** The token endpoint. */
export function tokens(registered: Registered, state: State, { headers, body }: Asked): Answer {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return oauthError(400, 'invalid_request', 'not a form');
  }
  const form = new URLSearchParams(body.toString('utf8'));
  if (
    form.get('client_id') !== registered.clientId ||
    form.get('client_secret') !== registered.clientSecret
  ) {
    return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  }
  if (form.get('grant_type') === 'authorization_code') return exchange(state, form);
  if (form.get('grant_type') === 'refresh_token') return refresh(state, form);
  return oauthError(400, 'unsupported_grant_type', 'unknown grant');
}

/** Revokes a token and all others of the same consent. */
export function revoke(state: State, { body }: Asked): Answer {
  const token = new URLSearchParams(body.toString('utf8')).get('token') ?? '';
  const account = state.refreshTokens.get(token) ?? state.accessTokens.get(token);
  if (account === undefined) return oauthError(400, 'invalid_token', 'Token expired or revoked');
  endConsent(state, account);
  return json({});
}

/** Revokes the app's access to an account. */
export function endConsent(state: State, account: string): void {
  for (const tokens of [state.refreshTokens, state.accessTokens]) {
    for (const [token, owner] of tokens) if (owner === account) tokens.delete(token);
  }
}

function exchange(state: State, form: URLSearchParams): Answer {
  const code = state.codes.get(form.get('code') ?? '');
  state.codes.delete(form.get('code') ?? '');
  if (code === undefined) return oauthError(400, 'invalid_grant', 'Malformed auth code.');
  if (code.redirectUri !== form.get('redirect_uri')) {
    return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  }
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (challenge !== code.challenge) return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
  const refreshToken = code.isOffline ? unguessable('1//') : undefined;
  if (refreshToken !== undefined) state.refreshTokens.set(refreshToken, code.account);
  return json({
    ...newAccess(state, code.account),
    scope: code.scope,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  });
}

function refresh(state: State, form: URLSearchParams): Answer {
  const account = state.refreshTokens.get(form.get('refresh_token') ?? '');
  if (account === undefined) return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  return json({ ...newAccess(state, account), scope: SCOPES.join(' ') });
}

function newAccess(state: State, account: string) {
  const token = unguessable('ya29.');
  state.accessTokens.set(token, account);
  return { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' };
}

function checkConsent(registered: Registered, given: URLSearchParams): void {
  const expected: Readonly<Record<string, (value: string) => boolean>> = {
    response_type: (value) => value === 'code',
    client_id: (value) => value === registered.clientId,
    redirect_uri: registered.isRedirectUrl,
    scope: (value) => value.split(' ').every((scope) => SCOPES.includes(scope)),
    code_challenge_method: (value) => value === 'S256',
    code_challenge: (value) => /^[\w-]{43}$/.test(value),
    state: (value) => value.length >= 32,
  };
  for (const [name, isRight] of Object.entries(expected)) {
    if (!isRight(given.get(name) ?? '')) throw new GoogleError(400, 'invalid_request', `Invalid ${name}`);
  }
}
