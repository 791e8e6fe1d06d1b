import { expect, test } from 'vitest';
import { systemClock } from '#server/deps.ts';
import { startProvider } from '#test/oidc/provider.ts';
import { ProviderFailure, signInAddress, verifyCallback } from './provider-client.ts';

const redirectUrl = 'http://127.0.0.1:3000/api/auth/oidc/district/callback';
const CHECKS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };

async function aProvider() {
  const standIn = await startProvider([redirectUrl]);
  standIn.now.person = { sub: 'ann', email: 'ann@maplegrove.example', email_verified: true };
  const settings = { ...standIn.settings(), domains: undefined, roleClaim: undefined } as never;
  return { standIn, provider: { settings, clock: systemClock, redirectUrl, callSeconds: 0.4 } };
}

const kindOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'believed',
    (error: unknown) => (error instanceof ProviderFailure ? error.kind : error),
  );

test('a provider call times out if any step is slow', async () => {
  const { standIn, provider } = await aProvider();
  const slow = (path: RegExp) => {
    standIn.faults.slow = { path, milliseconds: 1_500 };
  };
  slow(/well-known/);
  expect(await kindOf(signInAddress(provider, CHECKS))).toBe('unreachable');
  delete standIn.faults.slow;
  for (const path of [/token/, /jwks/, /me$/]) {
    const back = new URL(await standIn.visit(await signInAddress(provider, CHECKS)));
    slow(path);
    expect(await kindOf(verifyCallback(provider, back.search.slice(1), CHECKS))).toBe('unreachable');
    delete standIn.faults.slow;
  }
});

test('simultaneous sign-ins read the discovery document once', async () => {
  const { standIn, provider } = await aProvider();
  const addresses = await Promise.all(Array.from({ length: 50 }, () => signInAddress(provider, CHECKS)));
  expect(new Set(addresses).size).toBe(1);
  expect(standIn.asked).toEqual(['/.well-known/openid-configuration']);
});

test('a discovery document that names another issuer is rejected', async () => {
  const { standIn, provider } = await aProvider();
  const settings = {
    ...standIn.settings(),
    issuer: `${standIn.issuer.replace('127.0.0.1', 'localhost')}`,
  } as never;
  expect(await kindOf(signInAddress({ ...provider, settings }, CHECKS))).toBe('unreachable');
});
