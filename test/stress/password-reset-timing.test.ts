import { expect, test } from 'vitest';
import { ENGINE, migratedPlace } from '../harness.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';

const SAMPLES = IS_LONG ? 200 : 40;
const CLOSE_MS = 5;
// In a short run, on a busy machine, only an obvious difference counts.
const tolerance = (median: number) => (IS_LONG ? CLOSE_MS : Math.max(CLOSE_MS, median));

/**
 * Whether the clock tells who has an account: as many requests for addresses with one as for addresses without,
 * alternating, over HTTP to the real process. Each address is asked for once, since an account is quietly limited.
 */
test('a reset link request takes as long for an unknown email address as for a known one', async () => {
  const place = await migratedPlace();
  const child = await startChild(place, {
    ...ADMIN_SETTINGS,
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const { school } = await openDistrict(child);
  for (let i = 0; i < SAMPLES; i++) await register(i);
  // From several addresses: one may ask for 300 links an hour.
  let sent = 0;
  const timed = async (email: string) => {
    const headers = { 'x-forwarded-for': `10.0.0.${sent++ % 10}` };
    const began = performance.now();
    const reply = await child.call('POST /api/auth/forgot-password', { body: { email }, headers });
    expect(reply.status).toBe(200);
    return performance.now() - began;
  };
  for (let i = 0; i < 20; i++) await timed(`warm${i}@maplegrove.example`);
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    // Sending the first letter continues during the second request, so each kind goes first equally often.
    const isKnownFirst = i % 2 === 0;
    if (isKnownFirst) known.push(await timed(emailOf(i)));
    unknown.push(await timed(`nobody-with-this-${i}@maplegrove.example`));
    if (!isKnownFirst) known.push(await timed(emailOf(i)));
  }
  const figures = { known: spread(known), unknown: spread(unknown) };
  console.log(`forgot-password on ${ENGINE}, ms:`, JSON.stringify(figures));
  expect(Math.abs(figures.known.median - figures.unknown.median)).toBeLessThan(
    tolerance(figures.known.median),
  );

  async function register(i: number) {
    const body = {
      email: emailOf(i),
      password: 'quiet-harbor-58',
      firstName: 'Vera',
      lastName: 'Volt',
      schoolIds: [school.id],
    };
    expect((await child.call('POST /api/auth/register', { body })).status).toBe(201);
  }
});

const emailOf = (i: number) => `volunteer${i}@maplegrove.example`;

function spread(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2));
  return { count: sorted.length, p10: at(0.1), median: at(0.5), p90: at(0.9) };
}
