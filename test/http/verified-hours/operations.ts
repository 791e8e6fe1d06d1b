import { deleteExpiredRecords } from '#features/privacy/retention/server/cleanup.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { aCategory, anActivity, aPerson, editOf, PASSWORD } from '../../builders.ts';
import type { Reply } from '../../harness.ts';
import { ANOTHER_DAY, change, type Entry, must, type World } from './fixtures.ts';
import type { Event } from './state-table.ts';

/** An event for one entry, or for all of a world. The result is its first error, if any. */
export type Operation =
  | Readonly<{ to: (world: World, entry: Entry) => Promise<Reply> }>
  | Readonly<{ at: (world: World) => Promise<unknown> }>;

const by = (who: 'ann' | 'ada' | 'tom', body: object) => ({ who, body });

/** A change of the entry by its volunteer, or by an administrator. */
function edits({ who, body }: ReturnType<typeof by>): Operation {
  const path = who === 'ann' ? '/api/time-entries' : '/api/admin/time-entries';
  return {
    to: async (world, { id }) =>
      world.send(`PUT ${path}/${id}`, world[who], await editOf(world.app, id, body)),
  };
}

function moves(who: 'ann' | 'ada', to: (world: World, entry: Entry) => Promise<{ id: number }>): Operation {
  return {
    to: async (world, entry) => {
      const { id } = await to(world, entry);
      const deed = edits(by(who, { activityId: id }));
      return 'to' in deed ? deed.to(world, entry) : Promise.reject(new Error('not about one entry'));
    },
  };
}

const deletes = ({ send, ann, ada }: World, who: 'ann' | 'ada', { id }: Entry, body?: object) =>
  who === 'ann'
    ? send(`DELETE /api/time-entries/${id}`, ann)
    : send(`DELETE /api/admin/time-entries/${id}`, ada, body);

function deletesAndRestores(who: 'ann' | 'ada'): Operation {
  return {
    to: async (world, entry) => {
      const gone = await deletes(world, who, entry);
      if (gone.status >= 400) return gone;
      return world.send(`POST /api/time-entries/${entry.id}/restore`, world[who]);
    },
  };
}

// Imports one row: 1 hour of Ann's for the entry's activity, on its day.
async function importHours({ send, ada, ann }: World, { activity, date }: Entry) {
  const csv = `email,activity,date,hours\n${ann.email},"${activity.name}",${date},1`;
  const file = { csv, schoolId: activity.schoolId };
  const { body } = await must(send('POST /api/admin/time-entry-imports/preview', ada, file));
  const sent = { ...file, key: body.preview.key };
  return { reply: await send('POST /api/admin/time-entry-imports', ada, sent) };
}

async function mergesAway({ app, send, ada, school }: World, { id }: { id: number }, names: object) {
  const second = await aPerson(app, { schools: [school], ...names });
  const { body } = await must(send(`POST /api/admin/users/${id}/merge`, ada, { into: second.id }));
  return { second, mergeId: body.merge.id };
}

const DESK = '/api/admin/verifications';

const decided = (world: World, { id }: Entry, body: object) =>
  world.send(`POST ${DESK}`, world.tom, { entryIds: [id], ...body });

const decides = (body: object): Operation => ({ to: (world, entry) => decided(world, entry, body) });

function decidesAndTakesBack(body: object): Operation {
  return {
    to: async (world, entry) => {
      const reply = await decided(world, entry, body);
      if (reply.body.batch === null) return reply;
      return world.send(`POST ${DESK}/${reply.body.batch}/undo`, world.tom);
    },
  };
}

function answers(body: (entry: Entry) => object): Operation {
  return { to: (world, entry) => world.send(`POST /api/verify/${entry.token}`, undefined, body(entry)) };
}

const confirms = ({ id }: Entry) => ({ decisions: [{ entryId: id, decision: 'verify' }] });

function activityBecomes(body: object): Operation {
  return { to: (world, { activity }) => change(world, `activities/${activity.id}`, body) };
}

const theSchool = (body: object): Operation => ({
  at: (world) => change(world, `schools/${world.school.id}`, body),
});

/** Turns verification off and on, also at the school that did not verify. */
async function offAndOn(world: World, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  await change(world, `schools/${world.school.id}`, { verification: 'off' });
  await meanwhile();
  for (const { id } of [world.school, world.plain]) {
    await change(world, `schools/${id}`, { verification: 'on' });
  }
}

const NOTES = { notes: 'Said otherwise' };
const REASON = { reason: 'The paper list came late' };
const writes = async ({ app, send, ann }: World, { id }: Entry) =>
  send(`PUT /api/time-entries/${id}`, ann, await editOf(app, id, NOTES));

// The coach has received an email before, so no new one is sent immediately.
const namesSupervisor = ({ send, ann }: World, { id, coach }: Entry) =>
  send(`POST /api/time-entries/${id}/supervisor`, ann, { address: coach });

export const OPERATIONS: Readonly<Record<Event, Operation>> = {
  'Ann changes the hours to 3': edits(by('ann', { hours: 3 })),
  'Ann changes the notes': edits(by('ann', NOTES)),
  'Ann changes the day': edits(by('ann', { entryDate: ANOTHER_DAY })),
  'Ann moves it to another activity': moves('ann', ({ app }, { activity }) =>
    anActivity(app, { school: { id: activity.schoolId } }),
  ),
  'Ann moves it to another school': moves('ann', ({ app, plain, school }, { state }) =>
    anActivity(app, { school: state === 'off' ? school : plain }),
  ),
  'Ann deletes it': { to: (world, entry) => deletes(world, 'ann', entry) },
  'Ann deletes it and restores it': deletesAndRestores('ann'),
  'Ann asks to reopen it': {
    to: ({ send, ann }, { id }) =>
      send(`POST /api/time-entries/${id}/reopen-request`, ann, { note: 'It was three' }),
  },
  'Ann names another supervisor': { to: namesSupervisor },
  'Ann names a supervisor for an activity that lets her': {
    to: async (world, entry) => {
      const open = { verifiedBy: 'outside', outsideVerifier: null };
      await change(world, `activities/${entry.activity.id}`, open);
      return namesSupervisor(world, entry);
    },
  },

  'Ada changes the hours to 3': edits(by('ada', { hours: 3 })),
  'Ada changes the hours to 3 and gives a reason': edits(by('ada', { hours: 3, ...REASON })),
  'Ada changes the day': edits(by('ada', { entryDate: ANOTHER_DAY })),
  'Ada moves it to another activity': moves('ada', ({ app }, { activity }) =>
    anActivity(app, { school: { id: activity.schoolId } }),
  ),
  'Ada moves it to a trusted activity': moves('ada', async (world) => {
    const activity = await anActivity(world.app, { school: world.school });
    await change(world, `activities/${activity.id}`, { verifiedBy: 'trusted' });
    return activity;
  }),
  'Ada deletes it': { to: (world, entry) => deletes(world, 'ada', entry) },
  'Ada deletes it and restores it': deletesAndRestores('ada'),
  'Ada logs more hours for Ann on the same day': {
    to: ({ send, ada, ann }, { activity, date }) =>
      send('POST /api/admin/time-entries', ada, {
        ...{ activityId: activity.id, userId: ann.id, hours: 1, entryDate: date },
      }),
  },
  'Ada logs a group on the same day that includes Ann': {
    to: ({ send, ada, ann }, { activity, date }) =>
      send('POST /api/admin/time-entries/roster', ada, {
        ...{ activityId: activity.id, entryDate: date, entries: [{ userId: ann.id, hours: 1 }] },
      }),
  },
  'Ada imports more hours for Ann on that day': {
    to: async (world, entry) => (await importHours(world, entry)).reply,
  },
  'Ada imports more hours for Ann on that day and undoes the import': {
    to: async (world, entry) => {
      const { reply } = await importHours(world, entry);
      if (reply.status !== 201) return reply;
      const { id } = reply.body.timeEntryImport;
      return world.send(`POST /api/admin/time-entry-imports/${id}/undo`, world.ada, {});
    },
  },

  'Tom verifies it': decides({ decision: 'verify' }),
  'Tom verifies 1.5 hours of it': decides({ decision: 'verify', hours: 1.5 }),
  'Tom declines it': decides({ decision: 'decline', reason: 'Not on the list' }),
  'Tom reopens it': decides({ decision: 'reopen' }),
  'Tom verifies it and undoes that': decidesAndTakesBack({ decision: 'verify' }),
  'Tom declines it and undoes that': decidesAndTakesBack({ decision: 'decline', reason: 'Not there' }),
  'Tom reopens it and undoes that': decidesAndTakesBack({ decision: 'reopen' }),
  'Tom verifies all waiting hours of the school': {
    at: ({ send, tom, school }) =>
      must(
        send(`POST ${DESK}`, tom, {
          ...{ decision: 'verify', filter: { schoolId: school.id }, expectedTotal: 4 },
        }),
      ),
  },

  'the coach confirms it': answers(confirms),
  'the coach confirms 1.5 hours of it': answers(({ id }) => ({
    decisions: [{ entryId: id, decision: 'verify', hours: 1.5 }],
  })),
  'the coach declines it': answers(({ id }) => ({
    decisions: [{ entryId: id, decision: 'decline', reason: 'Somebody else was there' }],
  })),
  'the coach cannot confirm this person': answers(() => ({ unknownPerson: true })),
  'the coach unsubscribes': answers(() => ({ stop: true })),
  'Ann’s address becomes the coach’s, and the coach confirms it': {
    to: async ({ ada, ann, send }, entry) => {
      const moved = await must(send(`PUT /api/admin/users/${ann.id}`, ada, { email: entry.coach }));
      // The coach has verified it already.
      if (entry.state === 'outside') return moved;
      return send(`POST /api/verify/${entry.token}`, undefined, confirms(entry));
    },
  },

  'its activity is renamed': activityBecomes({ name: 'Spring fair' }),
  'its activity gets another category': {
    to: async (world, { activity }) => {
      const { id } = await aCategory(world.app, { school: { id: activity.schoolId } });
      return change(world, `activities/${activity.id}`, { categoryId: id });
    },
  },
  'its category is renamed': {
    to: (world, { activity, state }) =>
      change(world, `categories/${activity.categoryId}`, { name: `Fairs ${state}` }),
  },
  'its activity is deactivated': activityBecomes({ isActive: false }),
  'its activity gets dates that exclude the day': activityBecomes({ activeFrom: '2026-03-01' }),
  'its activity becomes trusted': activityBecomes({ verifiedBy: 'trusted' }),
  'its activity gets another external supervisor': activityBecomes({
    verifiedBy: 'outside',
    outsideVerifier: 'judge@court.example',
  }),
  'its activity changes to verification by the school': activityBecomes({ verifiedBy: 'school' }),
  'its activity is deleted': {
    to: ({ send, ada }, { activity }) => send(`DELETE /api/admin/activities/${activity.id}`, ada),
  },
  'the entry is deleted, then its activity': {
    to: async (world, entry) => {
      await must(deletes(world, 'ada', entry, REASON));
      return world.send(`DELETE /api/admin/activities/${entry.activity.id}`, world.ada);
    },
  },

  'the school is renamed': {
    at: (world) => change(world, `schools/${world.school.id}`, { name: `L ${world.school.id}` }),
  },
  'the school is deleted': {
    to: ({ send, ada }, { activity }) => send(`DELETE /api/admin/schools/${activity.schoolId}`, ada),
  },
  'the school stops verifying': theSchool({ verification: 'off' }),
  'the school stops verifying and starts again': { at: (world) => offAndOn(world) },
  'the school stops verifying, Ann changes the notes, it starts again': {
    to: async (world, entry) => {
      let reply: Reply | undefined;
      await offAndOn(world, async () => {
        await change(world, `schools/${world.plain.id}`, { verification: 'off' });
        reply = await writes(world, entry);
      });
      if (reply === undefined) throw new Error('nothing was written');
      return reply;
    },
  },
  'the school stops verifying and starts again while the entry is deleted': {
    to: async (world, entry) => {
      await must(deletes(world, 'ada', entry, REASON));
      await offAndOn(world);
      return world.send(`POST /api/time-entries/${entry.id}/restore`, world.ada);
    },
  },
  'the school closes the period, Ann changes the notes': {
    to: async (world, entry) => {
      await change(world, `schools/${entry.activity.schoolId}`, { closedBefore: '2026-03-01' });
      return writes(world, entry);
    },
  },
  'the school starts to flag hours logged after 7 days': theSchool({ lateAfterDays: 7 }),

  'Ann is deactivated': {
    at: ({ send, ada, ann }) => must(send(`PUT /api/admin/users/${ann.id}`, ada, { isActive: false })),
  },
  'Ann’s account is deleted': {
    to: ({ send, ada, ann }) => send(`DELETE /api/admin/users/${ann.id}`, ada),
  },
  'Ann leaves the school': {
    at: ({ send, ada, ann, plain }) =>
      must(send(`PUT /api/admin/users/${ann.id}`, ada, { schoolIds: [plain.id] })),
  },
  'Ann downloads her data': { at: ({ send, ann }) => must(send('GET /api/profile/data', ann)) },
  'Ann’s personal data is erased': {
    at: ({ send, ada, ann }) => must(send(`POST /api/admin/users/${ann.id}/erase`, ada)),
  },
  'a list of people that includes Ann is imported and undone': {
    at: async ({ send, ada, ann, school }) => {
      const csv = `firstName,lastName,email\nAnn,Lee,${ann.email}\nNia,Lee,new-${ann.email}\n`;
      const list = { csv, schoolIds: [school.id] };
      const { body } = await must(send('POST /api/admin/user-imports/preview', ada, list));
      const made = await must(
        send('POST /api/admin/user-imports', ada, { ...list, key: body.preview.key, sendMail: false }),
      );
      await must(send(`POST /api/admin/user-imports/${made.body.userImport.id}/undo`, ada));
    },
  },
  'Ann’s account is merged into her other account': {
    at: async (world) => {
      const { second } = await mergesAway(world, world.ann, { firstName: 'Ann', lastName: 'Lee' });
      Object.assign(world.ann, second);
    },
  },
  'Ann’s account is merged into her other account and unmerged': {
    at: async (world) => {
      const { mergeId } = await mergesAway(world, world.ann, { firstName: 'Ann', lastName: 'Lee' });
      await must(world.send(`POST /api/admin/merges/${mergeId}/undo`, world.ada));
      const login = { email: world.ann.email, password: PASSWORD };
      const { body } = await must(world.send('POST /api/auth/login', undefined, login));
      world.ann.token = body.token;
    },
  },
  'Ann’s account is merged into Maria’s': {
    at: ({ send, ada, ann, maria }) =>
      must(send(`POST /api/admin/users/${ann.id}/merge`, ada, { into: maria.id })),
  },
  'Maria’s account is merged into her other account': {
    at: (world) => mergesAway(world, world.maria, { firstName: 'Maria', lastName: 'Lopez' }),
  },
  'Maria is deactivated': {
    at: ({ send, ada, maria }) => must(send(`PUT /api/admin/users/${maria.id}`, ada, { isActive: false })),
  },
  'Maria’s account is deleted': {
    to: ({ send, ada, maria }) => send(`DELETE /api/admin/users/${maria.id}`, ada),
  },
  'Maria is no longer a coordinator': {
    at: ({ send, ada, maria, plain }) =>
      must(send(`PUT /api/admin/users/${maria.id}`, ada, { schoolIds: [plain.id], grants: [] })),
  },
  'Maria’s personal data is erased': {
    at: ({ send, ada, maria }) => must(send(`POST /api/admin/users/${maria.id}/erase`, ada)),
  },
  'retention deletes the hours': {
    at: async ({ app, send, ada, ann }) => {
      const now = app.clock.now();
      await must(send('PUT /api/admin/settings', ada, { retention: { entries: 12 } }));
      app.clock.set(plusMilliseconds(now, 500 * 86_400_000));
      await deleteExpiredRecords(app.deps);
      app.clock.set(now);
      for (const one of [ada, ann]) {
        const { body } = await must(
          send('POST /api/auth/login', undefined, { email: one.email, password: PASSWORD }),
        );
        one.token = body.token;
      }
      await must(send('PUT /api/admin/settings', ada, { retention: { entries: null } }));
    },
  },
};
