import { buildApp } from '#app/server/app.ts';
import type { Deps } from '#server/deps.ts';
import { asViewer } from '#server/http/viewer.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { paintLogos } from './images.ts';
import { MAIL_DOMAIN } from './names.ts';
import { SIGN_INS } from './people.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * What happened in the last days before today, each deed through the product's own calls at its own moment, so that the
 * district log and the histories have something to tell: logos, corrections, a deletion that was undone, a sign-in that
 * failed, hours from a paper sheet, and somebody who registered twice.
 */
export async function livePastDays(deps: Deps): Promise<void> {
  let at = deps.clock.now();
  // With a configuration of its own: closing this app would otherwise tell all calls of the process that it is ending.
  const app = await buildApp({
    ...deps,
    config: { ...deps.config },
    clock: { ...deps.clock, now: () => at },
  });
  const daysAgo = (days: number, hours = 0) => {
    at = earlier(deps.clock.now(), days * DAY_MS - hours * HOUR_MS);
  };
  const send = async (call: string, token?: string, body?: object) => {
    const [method = 'GET', url = '/'] = call.split(' ');
    const reply = await app.inject({
      method: method as 'GET',
      url: `/api${url}`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: reply.statusCode, body: reply.body.startsWith('{') ? reply.json() : {} };
  };
  const make = async (call: string, token: string | undefined, body?: object) => {
    const { status, body: answer } = await send(call, token, body);
    if (status >= 400) throw new Error(`${call}: ${status} ${answer.error}`);
    return answer;
  };
  // A session ends sooner than these days do.
  const as = async (email: string) =>
    (await make('POST /auth/login', undefined, { email, password: SIGN_INS.password })) as {
      token: string;
      user: { id: number; schools: { id: number }[] };
    };
  const asAdministrator = () => as(SIGN_INS.administrator);

  daysAgo(5);
  const { user } = await asAdministrator();
  await paintLogos(deps, {
    viewer: asViewer({ userId: user.id, sessionId: 0, role: 'admin', schoolIds: [], grants: [] }),
    request: { at, address: '127.0.0.1', requestId: 'demo', agent: 'demo' },
  });

  daysAgo(4, 1);
  const volunteer = await as(SIGN_INS.volunteer);
  const ofSchool = `schoolId=${volunteer.user.schools[0]?.id}`;
  const { activities } = await make(`GET /activities?${ofSchool}`, volunteer.token);
  const { timeEntries } = await make(`GET /time-entries?${ofSchool}&limit=50`, volunteer.token);
  const [wrong, gone] = timeEntries.filter((entry: { createdAt: Instant }) => entry.createdAt < at);

  daysAgo(3, 2);
  const { token: third } = await asAdministrator();
  await make(`PUT /admin/activities/${activities[0].id}`, third, { description: 'Meet at the side door' });
  await make(`PUT /admin/activities/${activities[1].id}`, third, {
    description: 'Bring gloves, if you have any',
  });
  daysAgo(3, 3);
  await send('POST /auth/login', undefined, { email: SIGN_INS.volunteer, password: 'cedar creek' });

  daysAgo(2, 1);
  const { token: own } = await as(SIGN_INS.volunteer);
  await make(`PUT /time-entries/${wrong.id}`, own, {
    activityId: wrong.activityId,
    hours: wrong.hours + 0.5,
  });
  daysAgo(2, 4);
  const { token: second } = await asAdministrator();
  const mended = { activityId: wrong.activityId, hours: wrong.hours, notes: 'As on the list at the door' };
  await make(`PUT /admin/time-entries/${wrong.id}`, second, mended);

  daysAgo(1, 2);
  const { token: last } = await asAdministrator();
  await make(`DELETE /admin/time-entries/${gone.id}`, last);
  daysAgo(1, 3);
  const { token: later } = await asAdministrator();
  await make(`POST /time-entries/${gone.id}/restore`, later);

  daysAgo(1, 4);
  const { token: secretary } = await as(SIGN_INS.schoolAdministrator);
  const open = activities.find((one: { requiresDescription: boolean }) => !one.requiresDescription);
  await make('POST /admin/time-entries/roster', secretary, {
    activityId: open.id,
    notes: 'From the sheet at the door',
    entries: [
      { userId: volunteer.user.id, hours: 1 },
      { walkIn: { firstName: 'Harold', lastName: 'Finch' }, hours: 1.5 },
    ],
  });
  daysAgo(1, 5);
  const twice = { firstName: 'Marisol', lastName: 'Nunez', email: `marisol.nunez@${MAIL_DOMAIN}` };
  const { token: again } = await make('POST /auth/register', undefined, {
    ...twice,
    password: SIGN_INS.password,
    schoolIds: [volunteer.user.schools[0]?.id],
  });
  await make('POST /time-entries', again, { activityId: open.id, hours: 0.5 });
  await app.close();
}

const earlier = (moment: Instant, milliseconds: number) => instantOf(millisecondsOf(moment) - milliseconds);
