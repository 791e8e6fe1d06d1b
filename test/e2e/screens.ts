import type { Page } from 'playwright-core';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { transaction } from '#server/db/database.ts';
import { day, dayIn, formatDayLong } from '#shared/calendar-date.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '../builders.ts';
import type { TestClock } from '../harness.ts';
import { type District, type Look, open, openDistrict, pressAction, type Visit } from './browser.ts';
import { blockApi } from './offline.ts';
import { beginning, LOCALE, like, saying, words } from './spoken-language.ts';

/** A district with records of every kind, and three people's browsers. */
export type World = Readonly<{
  district: District;
  stranger: Visit;
  volunteer: Visit;
  /** A user without a school, in an installation without schools. */
  administrator: Visit;
  /** The path of a valid password link. */
  link: () => Promise<string>;
}>;

export type Person = 'stranger' | 'volunteer' | 'administrator';

/** A state of a screen: who sees it, and how to reach it. */
export type Screen = readonly [
  name: string,
  who: Person,
  reach: (visit: Visit, world: World) => Promise<unknown>,
];

const BUNDLED = 'A very long name of a school event that nobody would cut short, grades 3 to 5';

/** `clock` is the server's; `before` runs in each browser before its page loads. */
export async function openWorld(
  look: Look,
  clock?: TestClock,
  before?: (page: Page) => Promise<unknown>,
): Promise<World> {
  const district = await openDistrict({}, clock);
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  const cedar = await aSchool(district, { name: 'Cedar Ridge Middle School of Arts and Sciences' });
  for (const name of ['Adams', 'Birch', 'Dover', 'Elm', 'Franklin']) await aSchool(district, { name });
  const today = dayIn('UTC', district.clock.now());
  const events = await aCategory(district, { school: lincoln, name: 'Fairs', color: '#ffe066' });
  const garden = await aCategory(district, {
    school: lincoln,
    name: 'Garden',
    kind: 'other',
    color: '#123524',
  });
  const fair = await anActivity(district, {
    school: lincoln,
    category: events,
    name: 'Book fair',
    activeFrom: today,
  });
  await anActivity(district, { school: lincoln, category: events, name: BUNDLED, activeFrom: today });
  await anActivity(district, {
    school: lincoln,
    category: events,
    name: 'Gala',
    isActive: false,
    activeFrom: today,
  });
  const club = await anActivity(district, { school: lincoln, category: garden, name: 'Garden club' });
  await anActivity(district, { school: lincoln, name: 'Field trip', descriptionPrompt: 'the class' });
  await anActivity(district, { school: lincoln, category: garden, name: 'Planting', activeFrom: today });
  await anActivity(district, { school: cedar, name: 'Chess night' });
  const vera = await aPerson(district, { schools: [lincoln, cedar], firstName: 'Vera' });
  await anEntry(district, { by: vera, activity: fair, hours: 2, date: today, notes: 'Sold 12 books' });
  await anEntry(district, { by: vera, activity: club, hours: 1.25, date: today });
  await aSuggestion(district, { by: vera, school: lincoln, category: events, name: BUNDLED });
  await aSuggestion(district, { by: vera, school: cedar, name: 'Chess evening', activity: club });
  await aSuggestion(district, { by: vera, school: lincoln, status: 'rejected', adminReason: BUNDLED });
  await aSuggestion(district, { by: vera, school: lincoln, status: 'deleted', adminReason: 'Twice' });
  const maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
  const empty = await openDistrict({}, clock);
  const shared = { look, stays: true, ...(before === undefined ? {} : { before }) } as const;
  return {
    district,
    stranger: await open(district, shared),
    volunteer: await open(district, {
      ...shared,
      as: vera,
      stored: { selectedSchoolId: String(lincoln.id), [`recentActivities:${vera.id}`]: `[${club.id}]` },
    }),
    administrator: await open(empty, { ...shared, as: await anAdministrator(empty) }),
    link: async () => {
      const token = await transaction(district.deps.database, (trx) =>
        createPasswordLink(trx, maria.id, district.clock.now(), 24),
      );
      return `/?token=${token}`;
    },
  };
}

const heading = (visit: Visit, name: string) => visit.page.getByRole('heading', { name }).waitFor();
const field = (visit: Visit, label: string) => visit.page.getByLabel(label, { exact: true });
const fails = async (visit: Visit, address: string | RegExp) => {
  visit.expectFailure(/^no answer/);
  await visit.page.route(address, (route) => route.abort('connectionrefused'));
};

async function register(visit: Visit) {
  await visit.page.goto('/');
  await visit.press(visit.button(words.users.toRegister));
}

// Removes unsent hours of the previous screen, which would be found by the same names.
async function toStart(visit: Visit) {
  if ((await visit.stored('keptWaiting').catch(() => null)) !== null) await clearStored(visit);
  await visit.page.goto('/');
}

async function dashboard(visit: Visit) {
  await toStart(visit);
  await visit.page
    .getByRole('button', { name: /^Book fair/ })
    .first()
    .waitFor();
  await visit.sees(words['time-entries'].totalThisYear_other);
}

// Removes stored data of the previous screen, which would be sent or shown offline.
async function clearStored({ page, context }: Visit) {
  const { origin } = new URL(page.url());
  await page.goto('about:blank');
  const tools = await context.newCDPSession(page);
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await tools.detach();
}

// Logs hours offline.
async function waiting(visit: Visit) {
  await pick(visit, 'Book fair');
  await visit.press(visit.page.getByRole('radio', { name: '1 h' }));
  // The notice appears together with the offline queue, which stores the hours.
  await blockApi(visit);
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.page.getByText(words.web.noSignalKept).waitFor({ state: 'hidden' });
  // Online, the hours are sent first, so the server may already have them.
  await fails(visit, '**/api/**');
  await visit.press(visit.button(saying('time-entries:log', { count: 1, hours: 1 })));
  await visit.press(visit.button(saying('time-entries:logMore', { hours: 1 })));
  await visit.sees(words['time-entries'].keptForLater);
}

async function pick(visit: Visit, name: string) {
  await dashboard(visit);
  await visit.page.getByRole('searchbox').fill(name);
  await visit.press(visit.page.getByRole('button', { name: new RegExp(`^${name}`) }).first());
  await visit.sees(words['time-entries'].howLong);
}

async function recent(visit: Visit) {
  await toStart(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
  await visit.page
    .getByRole('button', { name: like('time-entries:edit', { activity: 'Book fair' }) })
    .first()
    .waitFor();
}

async function edit(visit: Visit) {
  await recent(visit);
  await visit.press(
    visit.page.getByRole('button', { name: like('time-entries:edit', { activity: 'Book fair' }) }).first(),
  );
  await heading(visit, words['time-entries'].editTitle);
}

async function askToDelete(visit: Visit) {
  await recent(visit);
  await visit.press(
    visit.page
      .getByRole('button', { name: like('time-entries:delete', { activity: 'Garden club' }) })
      .first(),
  );
  await visit.sees(words['time-entries'].confirmDelete);
}

async function suggest(visit: Visit, tab: 'mine' | 'new') {
  await dashboard(visit);
  // The test sets the window's width, not the device.
  if (await visit.button(words.web.menu).isVisible()) {
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.web.suggestActivity }));
  } else {
    await visit.press(visit.button(words.web.suggestActivity));
  }
  await visit.press(visit.page.getByRole('tab', { name: words.suggestions[tab] }));
}

/** Every state of every screen for volunteers. */
export const SCREENS: readonly Screen[] = [
  [
    'sign in',
    'stranger',
    async (visit) => {
      await visit.page.goto('/');
      await visit.sees('Maple Grove Schools');
      await field(visit, words.web.sharedComputer).waitFor();
    },
  ],
  [
    'sign in with faults',
    'stranger',
    async (visit) => {
      await visit.page.goto('/');
      await field(visit, words.web.sharedComputer).waitFor();
      await visit.press(visit.button(words.auth.signIn));
      await visit.sees(words.users.emailAndPasswordRequired);
    },
  ],
  [
    'sign in without a network',
    'stranger',
    async (visit) => {
      await fails(visit, '**/api/auth/login');
      await visit.page.goto('/');
      await field(visit, words.users.email).fill('vera@maplegrove.example');
      await field(visit, words.users.password).fill(PASSWORD);
      await visit.press(visit.button(words.auth.signIn));
      await visit.sees(words.shared.networkError);
    },
  ],
  [
    'register while the schools load',
    'stranger',
    async (visit) => {
      await visit.holdAt('**/api/schools/public');
      await register(visit);
      await visit.sees(words.schools.loading);
    },
  ],
  [
    'register without schools to be had',
    'stranger',
    async (visit) => {
      await fails(visit, '**/api/schools/public');
      await register(visit);
      await visit.sees(words.schools.failedToLoadTryAgain);
    },
  ],
  [
    'register with schools chosen',
    'stranger',
    async (visit) => {
      await register(visit);
      await visit.press(visit.page.getByRole('checkbox', { name: /^Cedar/ }));
      await visit.press(visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
      await visit.button(saying('web:remove', { name: 'Lincoln Elementary' })).waitFor();
    },
  ],
  [
    'register with faults',
    'stranger',
    async (visit) => {
      await register(visit);
      await visit.page.getByRole('checkbox', { name: 'Elm' }).waitFor();
      await visit.press(visit.button(words.users.register));
      await visit.sees(words.users.namesRequired);
      await visit.sees(words.users.schoolRequired);
    },
  ],
  [
    'a reset link that is checked',
    'stranger',
    async (visit) => {
      await visit.holdAt('**/api/auth/verify-reset-token/*');
      await visit.page.goto('/?token=a');
      await visit.sees(words.auth.checkingLink);
    },
  ],
  [
    'a reset link that is wrong',
    'stranger',
    async (visit) => {
      visit.expectFailure('400 GET /api/auth/verify-reset-token/a');
      await visit.page.goto('/?token=a');
      await heading(visit, words.auth.resetInvalidTitle);
    },
  ],
  [
    'a reset link that cannot be checked',
    'stranger',
    async (visit) => {
      await fails(visit, '**/api/auth/verify-reset-token/*');
      await visit.page.goto('/?token=a');
      await visit.sees(words.auth.failedToVerifyToken);
    },
  ],
  [
    'a new password with faults',
    'stranger',
    async (visit, { link }) => {
      await visit.page.goto(await link());
      await field(visit, words.users.newPassword).fill('five5');
      await visit.press(visit.button(words.auth.resetSave));
      await visit.sees(words.users.passwordsDiffer);
    },
  ],
  [
    'a new password that was set',
    'stranger',
    async (visit, { link }) => {
      await visit.page.goto(await link());
      await field(visit, words.users.newPassword).fill(PASSWORD);
      await field(visit, words.users.confirmPassword).fill(PASSWORD);
      await visit.press(visit.button(words.auth.resetSave));
      await heading(visit, words.auth.resetDoneTitle);
    },
  ],
  [
    'the page while it loads',
    'volunteer',
    async (visit) => {
      await visit.holdAt('**/api/profile');
      await visit.page.goto('/');
      await visit.page.getByRole('main').waitFor();
    },
  ],
  [
    'the page without a network',
    'volunteer',
    async (visit) => {
      await clearStored(visit);
      await fails(visit, '**/api/profile');
      await visit.page.goto('/');
      await visit.sees(words.web.noSignal);
    },
  ],
  [
    'the dashboard while it loads',
    'volunteer',
    async (visit) => {
      await visit.holdAt('**/api/activities*');
      await visit.holdAt('**/api/time-entries**');
      await visit.page.goto('/');
      await visit.page.getByRole('tab', { name: words.web.logTime }).waitFor();
    },
  ],
  ['Log Time', 'volunteer', dashboard],
  [
    'Log Time with every group open',
    'volunteer',
    async (visit) => {
      await dashboard(visit);
      await visit.press(visit.page.getByRole('button', { name: beginning(words.activities.groupYearRound) }));
      await visit.press(visit.page.getByRole('button', { name: beginning(words.activities.groupOther) }));
      await visit.press(visit.page.getByRole('button', { name: /^Book fair.*2 h[^,]*$/ }).last());
      await visit.page.getByRole('list', { name: words['time-entries'].lastEntries }).waitFor();
    },
  ],
  [
    'a search that finds something',
    'volunteer',
    async (visit) => {
      await dashboard(visit);
      await visit.page.getByRole('searchbox').fill('garden');
      await visit.sees(saying('activities:found', { count: 2 }));
    },
  ],
  [
    'a search that finds nothing',
    'volunteer',
    async (visit) => {
      await dashboard(visit);
      await visit.page.getByRole('searchbox').fill('nothing of the kind');
      await visit.sees(words.activities.noneFound);
    },
  ],
  [
    'Log Time that cannot be loaded',
    'volunteer',
    async (visit) => {
      await fails(visit, /\/api\/(activities|time-entries\/most-active)/);
      await visit.page.goto('/');
      await visit.sees(words.activities.failedToLoad);
      await visit.sees(words['time-entries'].failedToLoadMostActive);
    },
  ],
  [
    'a picked activity with its usual hours',
    'volunteer',
    async (visit) => {
      await pick(visit, 'Book fair');
      await visit.page.getByRole('radio', { name: words['time-entries'].usual }).waitFor();
    },
  ],
  [
    'a picked activity with hours chosen',
    'volunteer',
    async (visit) => {
      await pick(visit, 'Book fair');
      await visit.press(visit.page.getByRole('radio', { name: '1 h' }));
      await visit.button(saying('time-entries:log', { count: 1, hours: 1 })).waitFor();
    },
  ],
  [
    'an entry with faults',
    'volunteer',
    async (visit) => {
      await pick(visit, 'Field trip');
      await visit.press(visit.page.getByRole('radio', { name: words['time-entries'].other, exact: true }));
      await visit.press(visit.page.getByRole('radio', { name: words['time-entries'].otherDay }));
      await field(visit, words['time-entries'].date).fill('2999-01-01');
      await visit.press(visit.button(words['time-entries'].logHours));
      await visit.sees(words['time-entries'].future);
      await visit.sees(
        saying('time-entries:descriptionRequired', { prompt: 'the class', activity: 'Field trip' }),
      );
    },
  ],
  [
    'the question before more hours of a day',
    'volunteer',
    async (visit) => {
      await pick(visit, 'Book fair');
      await visit.press(visit.page.getByRole('radio', { name: '1 h' }));
      await visit.press(visit.button(saying('time-entries:log', { count: 1, hours: 1 })));
      await visit.sees(saying('time-entries:alreadyToday', { already: 2, activity: 'Book fair', hours: 1 }));
    },
  ],
  [
    'several days at once, one to look at again',
    'volunteer',
    async (visit, { district }) => {
      await pick(visit, 'Book fair');
      await visit.press(visit.page.getByRole('radio', { name: '1 h' }));
      await visit.press(visit.button(words['time-entries'].severalDays));
      await visit.page.getByRole('grid').waitFor();
      const today = formatDayLong(dayIn('UTC', district.clock.now()), LOCALE);
      await visit.press(visit.page.getByRole('button', { name: today }));
      visit.expectFailure('409 POST /api/time-entries/several');
      await visit.press(visit.button(saying('time-entries:logOnDays', { count: 1, hours: 1 })));
      await visit.sees(words['time-entries'].logAnyway);
    },
  ],
  ['hours that wait for a signal', 'volunteer', waiting],
  [
    'hours that wait, to edit',
    'volunteer',
    async (visit) => {
      await waiting(visit);
      await visit.press(visit.page.getByRole('button', { name: like('time-entries:edit') }).first());
      await heading(visit, words['time-entries'].editWaitingTitle);
    },
  ],
  [
    'the question before hours that wait are removed',
    'volunteer',
    async (visit) => {
      await waiting(visit);
      await visit.press(visit.page.getByRole('button', { name: like('web:remove') }).first());
      await visit.sees(words.web.removePerhapsSent);
    },
  ],
  [
    'the question before a sign-out with hours that wait',
    'volunteer',
    async (visit) => {
      await waiting(visit);
      await pressAction(visit, words.auth.logout);
      await heading(visit, words.web.signOutTitle);
    },
  ],
  [
    'hours that the server refused after they waited',
    'volunteer',
    async (visit) => {
      await waiting(visit);
      visit.expectFailure('400 POST /api/time-entries');
      // First the reply, then the network, so that the hours cannot reach the server.
      await visit.page.route('**/api/time-entries', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 400, json: { error: words['time-entries'].future } })
          : route.fallback(),
      );
      await visit.page.unroute('**/api/**');
      await visit.page.evaluate(() => dispatchEvent(new Event('online')));
      await visit.page
        .getByText(saying('web:couldNotSend', { reason: words['time-entries'].future }))
        .waitFor();
      await visit.page.getByText(words.web.noSignalKept).waitFor({ state: 'hidden' });
    },
  ],
  [
    'logged hours with Undo',
    'volunteer',
    async (visit) => {
      await pick(visit, 'Book fair');
      await visit.press(visit.page.getByRole('radio', { name: '1 h' }));
      await visit.press(visit.button(saying('time-entries:log', { count: 1, hours: 1 })));
      await visit.press(visit.button(saying('time-entries:logMore', { hours: 1 })));
      await visit.button(like('time-entries:undoLogged')).focus();
      await heading(visit, words.activities.heading);
    },
  ],
  ['Recent Activity', 'volunteer', recent],
  [
    'thanks for a milestone',
    'volunteer',
    async (visit) => {
      const thanks = { hours: 50, words: 'You are a pillar of our school.', yearStart: '2025-07-01' };
      await visit.page.route('**/api/profile/thanks', (route) => route.fulfill({ json: { thanks } }));
      await dashboard(visit);
      await visit.sees(thanks.words);
    },
  ],
  [
    "one's own goal to set",
    'volunteer',
    async (visit) => {
      await recent(visit);
      await visit.press(visit.button(words.goals.goalSet));
      await visit.page.getByRole('dialog').waitFor();
    },
  ],
  [
    'a household to start or join',
    'volunteer',
    async (visit) => {
      await recent(visit);
      await visit.press(visit.button(words.households.start));
      await visit.page.getByRole('dialog').waitFor();
    },
  ],
  [
    'a household with a code',
    'volunteer',
    async (visit) => {
      const until = day('2026-11-30');
      const members = [
        { name: 'Maximiliane Alexandra Featherstonehaugh-Montgomery', hours: 1234.75, isYou: true },
        { name: 'Ben Lee', hours: 0, isYou: false },
      ];
      const code = { code: 'K7QM-4XRD', until };
      const household = { members, hours: 1234.75, yearStart: '2025-07-01', code };
      await visit.page.route('**/api/profile/household', (route) => route.fulfill({ json: { household } }));
      await recent(visit);
      await visit.button(words.households.copy).waitFor();
    },
  ],
  [
    'the calendar of Recent Activity',
    'volunteer',
    async (visit) => {
      await recent(visit);
      await visit.press(visit.button(words['time-entries'].calendar));
      await visit.page.getByRole('grid').waitFor();
    },
  ],
  [
    'Recent Activity that cannot be loaded',
    'volunteer',
    async (visit) => {
      await fails(visit, '**/api/time-entries?*');
      await visit.page.goto('/');
      await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
      await visit.sees(words['time-entries'].failedToLoad);
    },
  ],
  ['an entry to edit', 'volunteer', edit],
  [
    'an edited entry with faults',
    'volunteer',
    async (visit) => {
      await edit(visit);
      await field(visit, words['time-entries'].hoursField).fill('25');
      await visit.page
        .getByRole('dialog')
        .getByLabel(words['time-entries'].activity, { exact: true })
        .selectOption({ label: 'Field trip' });
      await field(visit, 'The class').fill('');
      await visit.press(visit.button(words.web.save));
      await visit.sees(saying('time-entries:hours', { min: 0.25, max: 24 }));
    },
  ],
  ['the question before deleting', 'volunteer', askToDelete],
  [
    'a deleted entry',
    'volunteer',
    async (visit) => {
      await askToDelete(visit);
      await visit.press(visit.button(words.web.delete));
      await visit.sees(words['time-entries'].deletedRow);
      await visit.page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    },
  ],
  [
    'the list of shortcuts',
    'volunteer',
    async (visit) => {
      await visit.page.goto('/');
      await visit.page.getByRole('tab', { name: words.web.logTime }).waitFor();
      await visit.page.keyboard.press('?');
      await heading(visit, words.web.shortcuts);
    },
  ],
  [
    'My Suggestions in every status',
    'volunteer',
    async (visit) => {
      await suggest(visit, 'mine');
      await visit.page.getByRole('heading', { level: 3, name: 'Chess evening' }).waitFor();
      await visit.sees('Twice');
    },
  ],
  [
    'My Suggestions that cannot be loaded',
    'volunteer',
    async (visit) => {
      await fails(visit, '**/api/my-activity-suggestions*');
      await suggest(visit, 'mine');
      await visit.sees(words.suggestions.failedToLoadOwn);
    },
  ],
  [
    'a new suggestion with faults and something like it',
    'volunteer',
    async (visit) => {
      await suggest(visit, 'new');
      await visit.press(visit.button(words.suggestions.submit));
      await visit.sees(words.activities.nameRequired);
      await field(visit, words.suggestions.name).fill('Bok fairs');
      await field(visit, words.activities.description).fill('x'.repeat(200));
      await visit.sees(words.suggestions.didYouMean);
      await visit.sees(saying('web:charactersUsed', { count: 200, max: 200 }));
    },
  ],
  // The last of the volunteer's states, because the selected school is remembered.
  [
    'an empty Recent Activity',
    'volunteer',
    async (visit) => {
      await dashboard(visit);
      const school = visit.page.getByRole('combobox', { name: words.schools.header });
      await school.selectOption({ index: 0 });
      await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
      await visit.sees(words['time-entries'].noneYet);
    },
  ],
  [
    'a district without schools',
    'administrator',
    async (visit) => {
      await visit.page.goto('/');
      await visit.sees(words.schools.noneYet);
    },
  ],
  [
    'what can be done from the header',
    'administrator',
    async (visit) => {
      await visit.page.goto('/');
      if (visit.look.device === 'phone') {
        await visit.press(visit.button(words.web.menu));
        await visit.page.getByRole('menuitem', { name: words.auth.logout }).waitFor();
      } else await visit.button(words.auth.logout).waitFor();
    },
  ],
];
