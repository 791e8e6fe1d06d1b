import { buildApp } from '#app/server/app.ts';
import type { Deps } from '#server/deps.ts';
import { asViewer } from '#server/http/viewer.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { addLogos } from './images.ts';
import { MAIL_DOMAIN } from './names.ts';
import { SIGN_INS } from './people.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Adds the events of the last days through the API, each at its own time, so that the audit log and the histories have
 * content: logos, corrections, a deletion that was undone, a failed sign-in, hours from a paper sheet, and a person who
 * registered twice.
 */
export async function addRecentDays(deps: Deps): Promise<void> {
  let at = deps.clock.now();
  // A copy of the configuration, because closing this app would otherwise end all requests of the process.
  const app = await buildApp({
    ...deps,
    config: { ...deps.config },
    clock: { ...deps.clock, now: () => at },
  });
  const daysAgo = (days: number, hours = 0) => {
    at = before(deps.clock.now(), days * DAY_MS - hours * HOUR_MS);
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
  const sendOk = async (call: string, token: string | undefined, body?: object) => {
    const { status, body: answer } = await send(call, token, body);
    if (status >= 400) throw new Error(`${call}: ${status} ${answer.error}`);
    return answer;
  };
  // Signs in again each day, because a session expires sooner.
  const signIn = async (email: string) =>
    (await sendOk('POST /auth/login', undefined, { email, password: SIGN_INS.password })) as {
      token: string;
      user: { id: number; schools: { id: number }[] };
    };
  const signInAsAdmin = () => signIn(SIGN_INS.administrator);

  daysAgo(5);
  const { user } = await signInAsAdmin();
  await addLogos(deps, {
    viewer: asViewer({ userId: user.id, sessionId: 0, role: 'admin', schoolIds: [], grants: [] }),
    request: { at, address: '127.0.0.1', requestId: 'demo', agent: 'demo' },
  });

  daysAgo(4, 1);
  const volunteer = await signIn(SIGN_INS.volunteer);
  const schoolQuery = `schoolId=${volunteer.user.schools[0]?.id}`;
  const { activities } = await sendOk(`GET /activities?${schoolQuery}`, volunteer.token);
  const { timeEntries } = await sendOk(`GET /time-entries?${schoolQuery}&limit=50`, volunteer.token);
  const [corrected, deleted] = timeEntries.filter((entry: { createdAt: Instant }) => entry.createdAt < at);

  daysAgo(3, 2);
  const { token: thirdDay } = await signInAsAdmin();
  await sendOk(`PUT /admin/activities/${activities[0].id}`, thirdDay, {
    description: 'Meet at the side door',
  });
  await sendOk(`PUT /admin/activities/${activities[1].id}`, thirdDay, {
    description: 'Bring gloves, if you have any',
  });
  daysAgo(3, 3);
  await send('POST /auth/login', undefined, { email: SIGN_INS.volunteer, password: 'cedar creek' });

  daysAgo(2, 1);
  const { token: volunteerToken } = await signIn(SIGN_INS.volunteer);
  await sendOk(`PUT /time-entries/${corrected.id}`, volunteerToken, {
    activityId: corrected.activityId,
    hours: corrected.hours + 0.5,
  });
  daysAgo(2, 4);
  const { token: secondDay } = await signInAsAdmin();
  const correction = {
    activityId: corrected.activityId,
    hours: corrected.hours,
    notes: 'As on the list at the door',
  };
  await sendOk(`PUT /admin/time-entries/${corrected.id}`, secondDay, correction);

  daysAgo(1, 2);
  const { token: lastDay } = await signInAsAdmin();
  await sendOk(`DELETE /admin/time-entries/${deleted.id}`, lastDay);
  daysAgo(1, 3);
  const { token: laterThatDay } = await signInAsAdmin();
  await sendOk(`POST /time-entries/${deleted.id}/restore`, laterThatDay);

  daysAgo(1, 4);
  const { token: secretary } = await signIn(SIGN_INS.schoolAdministrator);
  const withoutNotes = activities.find((one: { requiresDescription: boolean }) => !one.requiresDescription);
  await sendOk('POST /admin/time-entries/roster', secretary, {
    activityId: withoutNotes.id,
    notes: 'From the sheet at the door',
    entries: [
      { userId: volunteer.user.id, hours: 1 },
      { walkIn: { firstName: 'Harold', lastName: 'Finch' }, hours: 1.5 },
    ],
  });
  daysAgo(1, 5);
  const duplicate = { firstName: 'Marisol', lastName: 'Nunez', email: `marisol.nunez@${MAIL_DOMAIN}` };
  const { token: duplicateToken } = await sendOk('POST /auth/register', undefined, {
    ...duplicate,
    password: SIGN_INS.password,
    schoolIds: [volunteer.user.schools[0]?.id],
  });
  await sendOk('POST /time-entries', duplicateToken, { activityId: withoutNotes.id, hours: 0.5 });
  await app.close();
}

const before = (moment: Instant, milliseconds: number) => instantOf(millisecondsOf(moment) - milliseconds);
