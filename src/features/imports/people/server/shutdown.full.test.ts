import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { emptyPlace } from '#test/harness.ts';
import { ADMIN_SETTINGS, openDistrict } from '#test/open-district.ts';
import { type Child, type Place, startChild } from '#test/server-process.ts';

vi.setConfig({ testTimeout: 180_000 });

const PEOPLE = 2_000;
const HEADER = 'firstName,lastName,email,role,schools';
const MOMENTS_MS = [0, 60, 250, 700, 1_500];
const ARRIVED_MS = 250;

/** A list of new people whose addresses contain the word. */
function aList(word: string): string {
  const rows = Array.from(
    { length: PEOPLE },
    (_, at) => `Ann,Number ${at},${word}${at}@maplegrove.example,user,Lincoln`,
  );
  return [HEADER, ...rows].join('\n');
}

async function stored({ place, word }: { place: Place; word: string }) {
  const database = await openDatabase(place);
  try {
    const people = await database.db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('email_key', 'like', `${word}%`)
      .executeTakeFirstOrThrow();
    const imports = await database.db.selectFrom('user_imports').select('people').execute();
    return { people: Number(people.count), imports: imports.length };
  } finally {
    await database.close();
  }
}

test('a shutdown leaves an import complete or not started, and a retry runs it once', async () => {
  const place = await emptyPlace();
  let child: Child = await startChild(place, ADMIN_SETTINGS);
  const { admin: token } = await openDistrict(child);
  for (const [before, moment] of MOMENTS_MS.entries()) {
    const word = `stop${before}x`;
    const csv = aList(word);
    const seen = await child.call('POST /api/admin/user-imports/preview', { token, body: { csv } });
    const sending = {
      token,
      body: { csv, key: seen.body.preview.key, sendMail: true },
      headers: { 'Idempotency-Key': randomUUID() },
    };
    const answer = child.call('POST /api/admin/user-imports', sending).catch(() => undefined);
    await setTimeout(moment);
    expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const status = (await answer)?.status;
    const isWhole = status === 201;
    // The request has arrived by then, and an import that has arrived is finished.
    if (moment >= ARRIVED_MS) expect([moment, status]).toEqual([moment, 201]);
    expect([moment, status, await stored({ place, word })]).toEqual([
      moment,
      isWhole ? 201 : status,
      { people: isWhole ? PEOPLE : 0, imports: before + (isWhole ? 1 : 0) },
    ]);
    child = await startChild(place);
    const again = await child.call('POST /api/admin/user-imports', sending);
    expect([again.status, await stored({ place, word })]).toEqual([
      201,
      { people: PEOPLE, imports: before + 1 },
    ]);
    if (isWhole) expect(again.body).toEqual((await answer)?.body);
  }
  await child.end('SIGTERM');
});
