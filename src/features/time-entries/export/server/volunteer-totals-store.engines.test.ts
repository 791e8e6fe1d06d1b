import { expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import { anActivity, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { findContacts, readTotalsPage } from './volunteer-totals-store.ts';

test('readTotalsPage returns the totals of each volunteer at each school, by name, in pages', async () => {
  const app = await startApp();
  const [ash, birch] = [await aSchool(app, { name: 'Ash' }), await aSchool(app, { name: 'Birch' })];
  const people = [
    await aPerson(app, { firstName: 'Zoë', lastName: 'Ábel', schools: [ash] }),
    await aPerson(app, { firstName: 'Ann', lastName: 'Abel', schools: [ash, birch] }),
  ];
  for (const school of [birch, ash]) {
    const activity = await anActivity(app, { school });
    for (const by of people) {
      await anEntry(app, { by, activity, hours: 1.25 });
      await anEntry(app, { by, activity, hours: 0.5 });
    }
  }
  const { db } = app.deps.database;
  const filter = { schools: 'all' as SchoolScope, verifying: [] };
  const { rows, last } = await readTotalsPage(db, filter, undefined);
  expect(rows.map((row) => [row.first_name, row.school_name, row.entries, row.hundredths])).toEqual([
    ['Ann', 'Ash', 2, 175],
    ['Ann', 'Birch', 2, 175],
    ['Zoë', 'Ash', 2, 175],
    ['Zoë', 'Birch', 2, 175],
  ]);
  expect(await readTotalsPage(db, filter, last)).toEqual({ rows: [], last: undefined });
  const contacts = await transaction(app.deps.database, (trx) =>
    findContacts(
      trx,
      people.map(({ id }) => id),
    ),
  );
  expect(contacts.get(people[1]?.id ?? 0)).toEqual({
    email: people[1]?.email,
    schools: new Set([ash.id, birch.id]),
  });
});
