import { expect, test, vi } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, aPerson, aSchool, editOf } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import {
  filledIn,
  lostAmongValues,
  lostIn,
  lostInCsv,
  lostInSheet,
  type Shape,
  type Values,
} from '#test/record-fields.ts';
import { sheetsOf } from '#test/workbook.ts';
import { TimeEntryChange, TimeEntryForInput, TimeEntryInput } from '../contract.ts';
import { GroupEntryInput } from '../group-entry/contract.ts';
import { ENTRY_FIELDS } from '../time-entry-fields.ts';

const rosterRow = GroupEntryInput.shape.entries._zod.def.element as unknown as Shape;

/** Two schools of one volunteer, each with an activity, and the values of an entry at each. */
async function twoEntries(app: TestApp) {
  const [admin, north, south] = [await anAdministrator(app), await aSchool(app), await aSchool(app)];
  const ann = await aPerson(app, { schools: [north, south], firstName: 'Ann-Sofie', lastName: 'Ångström' });
  const bob = await aPerson(app, { schools: [north, south], firstName: 'Bob' });
  const said = async (school: { id: number; name: string }, round: number) => {
    const activity = await anActivity(app, { school });
    const values = filledIn(
      TimeEntryForInput,
      { userId: ann.id, activityId: activity.id, schoolId: school.id },
      round,
    );
    // As in an exported file: references by name.
    const named = { ...values, schoolId: school.name, activityId: activity.name, userId: 'Ann-Sofie' };
    return { values, named };
  };
  return { admin, ann, bob, first: await said(north, 0), second: await said(south, 1) };
}

const onWire = (entry: { user: { id: number } } | undefined) => ({ ...entry, userId: entry?.user.id });
const without = (values: Values, ...names: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
const fieldsOf = ({ shape }: Shape) => Object.keys(shape).sort();

test('every way to log hours accepts exactly the listed fields', () => {
  const all = fieldsOf(TimeEntryForInput);
  expect(Object.keys(ENTRY_FIELDS).sort()).toEqual(all);
  expect([...fieldsOf(TimeEntryInput), 'userId'].sort()).toEqual(all);
  expect([...fieldsOf(TimeEntryChange), 'userId'].sort()).toEqual(all);
  const roster = [...fieldsOf(GroupEntryInput).filter((name) => name !== 'entries'), ...fieldsOf(rosterRow)];
  // A row of a group entry has a user id or a guest volunteer.
  expect(roster.sort()).toEqual([...all, 'walkIn'].sort());
});

test('every field of a time entry survives logging, editing, listing, deletion and undo', async () => {
  const app = await startApp();
  const { admin, ann, first, second } = await twoEntries(app);
  const call = async (token: string, methodAndPath: string, body?: object) => {
    const reply = await app.call(methodAndPath, { token, ...(body === undefined ? {} : { body }) });
    expect([methodAndPath, reply.status, reply.body?.error]).toEqual([
      methodAndPath,
      reply.status < 300 ? reply.status : 200,
      undefined,
    ]);
    return reply.body;
  };
  const only = async (token: string, path: string) => onWire((await call(token, path)).timeEntries[0]);
  const lost: string[] = [];
  const look = (place: string, values: Values, found: object | undefined) =>
    lost.push(...lostIn(place, values, found));

  const logged = (await call(ann.token, 'POST /api/time-entries', without(first.values, 'userId'))).timeEntry;
  const path = `/api/time-entries/${logged.id}`;
  look('the answer to logging', first.values, onWire(logged));
  look('the recent entries', first.values, await only(ann.token, 'GET /api/time-entries'));
  const adminList = `GET /api/admin/time-entries?userId=${ann.id}`;
  look("the administrator's list", first.values, await only(admin.token, adminList));

  const kept = (await call(ann.token, `PUT ${path}`, await editOf(app, logged.id, {}))).timeEntry;
  look('the answer to a change of nothing', first.values, onWire(kept));
  look('the list after a change of nothing', first.values, await only(ann.token, 'GET /api/time-entries'));
  const edited = (await call(ann.token, `PUT ${path}`, without(second.values, 'userId'))).timeEntry;
  look('the answer to an edit', second.values, onWire(edited));
  look('the list after an edit', second.values, await only(ann.token, 'GET /api/time-entries'));
  const own = without(first.values, 'userId', 'schoolId', 'activityId');
  const stays = (await call(admin.token, `PUT /api/admin${path.slice(4)}`, own)).timeEntry;
  look('the answer to an edit that keeps the activity', { ...second.values, ...own }, onWire(stays));
  await call(admin.token, `PUT /api/admin${path.slice(4)}`, without(second.values, 'userId'));

  await call(ann.token, `DELETE ${path}`);
  const restored = (await call(ann.token, `POST ${path}/restore`)).timeEntry;
  look('the answer to the undo', second.values, onWire(restored));
  look('the list after the undo', second.values, await only(ann.token, 'GET /api/time-entries'));

  const records = await recordOf(app, 'time-entry', logged.id);
  const [edit] = records.filter(
    ({ action, after }) => action === 'entry.edit' && after.schoolId !== records[0]?.after.schoolId,
  );
  const [deleted, undone] = records.slice(-2);
  look('the record of logging', first.values, records[0]?.after);
  look('the record before an edit', first.values, edit?.before);
  look('the record after an edit', second.values, edit?.after);
  look('the record of a deletion', second.values, deleted?.before);
  look('the record of the undo', second.values, undone?.after);
  expect(lost).toEqual([]);
});

test('every field of a time entry survives logging for others, singly and as a group', async () => {
  const app = await startApp();
  const { admin, ann, bob, first, second } = await twoEntries(app);
  const lost: string[] = [];
  const log = async (path: string, body: object) =>
    (await app.call(`POST /api/admin/time-entries${path}`, { token: admin.token, body })).body;

  const { timeEntry } = await log('', first.values);
  lost.push(...lostIn('the answer to logging for another', first.values, onWire(timeEntry)));
  const [forAnn] = await recordOf(app, 'time-entry', timeEntry.id);
  lost.push(...lostIn('the record of logging for another', first.values, forAnn?.after));

  const shared = Object.keys(GroupEntryInput.shape).filter((name) => name !== 'entries');
  const row = without(second.values, ...shared);
  const entries = [row, { ...row, userId: bob.id }];
  const { timeEntries } = await log('/roster', { ...without(second.values, ...Object.keys(row)), entries });
  for (const [index, userId] of [ann.id, bob.id].entries()) {
    const values = { ...second.values, userId };
    lost.push(...lostIn('the answer to a roster', values, onWire(timeEntries?.[index])));
    const [rostered] = await recordOf(app, 'time-entry', timeEntries?.[index]?.id ?? 0);
    lost.push(...lostIn('the record of a roster', values, rostered?.after));
  }
  expect(lost).toEqual([]);
});

test('every field of a time entry appears in the audit log, in exports and in the data export', async () => {
  const app = await startApp();
  const { admin, ann, first } = await twoEntries(app);
  const lost: string[] = [];
  const read = (token: string, path: string) => app.call(`GET ${path}`, { token });
  const logged = await app.call('POST /api/time-entries', {
    token: ann.token,
    body: without(first.values, 'userId'),
  });

  const { body } = await read(
    admin.token,
    `/api/admin/audit?thing=time-entry&thingId=${logged.body.timeEntry.id}`,
  );
  const changes: { field: string; after: unknown }[] = body.records[0].changes;
  const told = changes.map(({ after }) => after);
  lost.push(...lostAmongValues('the district log', { ...first.named, userId: 'Ann-Sofie Ångström' }, told));

  for (const format of ['csv', 'xlsx'] as const) {
    const body = { format, userId: ann.id };
    // The previous export is marked as done shortly after its file was sent.
    const url = await vi.waitUntil(
      async () =>
        (await app.call('POST /api/admin/time-entries/export', { token: admin.token, body })).body.url,
      { timeout: 10_000 },
    );
    const { rawPayload } = await app.app.inject({ method: 'GET', url });
    if (format === 'csv') lost.push(...lostInCsv('the export as CSV', first.named, rawPayload));
    else {
      const [sheet = []] = sheetsOf(rawPayload).values();
      lost.push(...lostInSheet('the export for Excel', first.named, sheet));
    }
  }

  const own = without(first.named, 'userId');
  const json = JSON.parse((await read(ann.token, '/api/profile/data?format=json')).text);
  lost.push(...lostAmongValues('the download as JSON', own, json.timeEntries[0]));
  lost.push(
    ...lostInCsv('the download as CSV', own, (await read(ann.token, '/api/profile/data?format=csv')).text),
  );
  expect(lost).toEqual([]);
});
