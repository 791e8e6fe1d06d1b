import { addDays, dayIn } from '#shared/calendar-date.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  anOutsideLetter,
  aPerson,
  aSchool,
  aSuggestion,
} from '../builders.ts';
import type { TestClock } from '../harness.ts';
import { type District, openDistrict, pressAction, type Visit } from './browser.ts';
import { beginning, like, words } from './spoken-language.ts';

const SCHOOL = 'Cedar Ridge Middle School of Arts and Sciences';
const ACTIVITY = 'Kindergarten Tying-Shoes-and-Zippers Patrol';
const PERSON = 'Maximiliana Featherstonehaugh';

/** A district with records of every kind in the Admin Panel, and an email to an external verifier. */
export type Administration = Readonly<{
  district: District;
  ada: Awaited<ReturnType<typeof anAdministrator>>;
  letter: Awaited<ReturnType<typeof anOutsideLetter>>;
}>;

export async function openAdministration(clock?: TestClock): Promise<Administration> {
  const district = await openDistrict({ SMTP_URL: 'smtp://127.0.0.1:9' }, clock);
  const ada = await anAdministrator(district);
  const school = await aSchool(district, { name: SCHOOL, verification: 'on' });
  await aSchool(district, { name: 'Harbor Middle School' });
  const category = await aCategory(district, { school, name: 'Arts, Music and Theater Performances' });
  const activity = await anActivity(district, { school, category, name: ACTIVITY });
  const by = await aPerson(district, {
    firstName: 'Maximiliana',
    lastName: 'Featherstonehaugh',
    schools: [school],
    isProven: true,
  });
  const today = dayIn('UTC', district.clock.now());
  for (const days of [0, 40, 80]) {
    await anEntry(district, { by, activity, hours: 2.5, date: addDays(today, -days), notes: 'Two zippers' });
  }
  await aSuggestion(district, { by, school, category, name: 'A reading corner for the whole neighborhood' });
  const letter = await anOutsideLetter(district, { by, activity, hours: [2, 1.5], notes: 'Two zippers' });
  return { district, ada, letter };
}

/** A state of an Admin Panel screen, and how to reach it from the first tab. */
export type Step = readonly [name: string, reach: (visit: Visit) => Promise<unknown>];

async function toTab(visit: Visit, title: string, content?: string): Promise<void> {
  const { page } = visit;
  // A number may follow, and another tab's name may contain this one. The third language has brackets.
  const start = title.replace(/[[\]]/g, '\\$&');
  await visit.press(page.getByRole('tab', { name: new RegExp(`^${start}`) }));
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  if (content === undefined) return;
  // A selected school stays selected on the other tabs.
  if (title === words.categories.title) await page.getByLabel(words.schools.filter).selectOption(SCHOOL);
  await page.getByRole('tabpanel').getByText(content).first().waitFor();
}

/** Presses a button, which may be in a menu on phones. */
async function act(visit: Visit, name: string): Promise<void> {
  const button = visit.button(name).locator('visible=true').first();
  if (visit.look.device === 'desktop') return visit.press(button);
  const isThere = await button.waitFor({ timeout: 3_000 }).then(
    () => true,
    () => false,
  );
  if (isThere) await visit.press(button);
  else await pressAction(visit, name);
}

async function inDialog(visit: Visit, name: string): Promise<void> {
  await act(visit, name);
  await visit.page.getByRole('dialog').waitFor();
}

async function faulty(visit: Visit, add: string, create: string): Promise<void> {
  await inDialog(visit, add);
  await visit.press(visit.button(create));
  await visit.page.getByRole('dialog').getByRole('textbox').first().waitFor();
}

const users = (visit: Visit) => toTab(visit, words.users.title, PERSON);
const schools = (visit: Visit) => toTab(visit, words.schools.title, SCHOOL);
const categories = (visit: Visit) =>
  toTab(visit, words.categories.title, 'Arts, Music and Theater Performances');
const activities = async (visit: Visit) => {
  await categories(visit);
  await toTab(visit, words.activities.title, ACTIVITY);
};
const suggestions = (visit: Visit) =>
  toTab(visit, words.suggestions.title, 'A reading corner for the whole neighborhood');
const entries = async (visit: Visit) => {
  await toTab(visit, words['time-entries'].title);
  await visit.page.getByLabel(words.schools.filter, { exact: true }).selectOption(SCHOOL);
  await visit.page.getByRole('tabpanel').getByText(ACTIVITY).locator('visible=true').first().waitFor();
};

/** The most used screens of administrators. */
export const ADMIN_SCREENS: readonly Step[] = [
  ['the list of users', users],
  [
    'a user',
    async (visit) => {
      await users(visit);
      await visit.press(visit.page.getByRole('button', { name: beginning(PERSON) }).first());
      await visit.page.getByRole('dialog').waitFor();
    },
  ],
  ['the time entries', entries],
  [
    'the settings of the district',
    async (visit) => {
      if (visit.look.device === 'phone') {
        await visit.press(visit.button(words.web.system).locator('visible=true'));
        await visit.press(visit.button(words.operations.settingsOpen));
      } else await visit.press(visit.button(words.web.districtSettings).locator('visible=true'));
      await visit.page.getByLabel(words['district-settings'].settingsName).waitFor();
    },
  ],
];

/** The other states of the Admin Panel. */
export const MORE_ADMIN_SCREENS: readonly Step[] = [
  [
    'a new user with faults',
    async (visit) => {
      await users(visit);
      await faulty(visit, words.users.add, words.users.create);
    },
  ],
  [
    'an invitation to write',
    async (visit) => {
      await users(visit);
      await visit.press(visit.button(beginning(words.users.sectionInvites)));
      await inDialog(visit, words.users.inviteAdd);
    },
  ],
  [
    'an email to many people',
    async (visit) => {
      await users(visit);
      await visit.press(visit.page.getByRole('tabpanel').getByRole('checkbox').last());
      await inDialog(visit, words.users.writeMany);
    },
  ],
  [
    'people to import',
    async (visit) => {
      await users(visit);
      await act(visit, words.web.importUsers);
      await visit.page.getByRole('heading', { name: words.people.title, exact: true }).waitFor();
    },
  ],
  [
    'accounts that may be doubles',
    async (visit) => {
      await users(visit);
      await act(visit, words.merging.title);
      await visit.page.getByRole('heading', { name: words.merging.title, exact: true }).waitFor();
    },
  ],
  ['the schools', schools],
  [
    'a new school with faults',
    async (visit) => {
      await schools(visit);
      await faulty(visit, words.schools.add, words.schools.create);
    },
  ],
  ['the categories', categories],
  [
    'a new category with faults',
    async (visit) => {
      await categories(visit);
      await faulty(visit, words.categories.add, words.categories.create);
    },
  ],
  ['the activities', activities],
  [
    'a new activity with faults',
    async (visit) => {
      await activities(visit);
      await faulty(visit, words.activities.add, words.activities.create);
    },
  ],
  [
    'several new activities',
    async (visit) => {
      await activities(visit);
      await act(visit, words.activities.addSeveral);
      await visit.page.getByRole('textbox').last().waitFor();
    },
  ],
  ['the suggestions', suggestions],
  [
    'a suggestion to approve',
    async (visit) => {
      await suggestions(visit);
      await visit.press(visit.page.getByRole('button', { name: like('suggestions:approveOne') }).first());
      await visit.page.getByRole('dialog').waitFor();
    },
  ],
  [
    'hours to verify',
    async (visit) => {
      await entries(visit);
      await act(visit, words['time-entries'].verifyHours);
      await visit.page.getByRole('heading', { name: words.verification.deskTitle }).waitFor();
    },
  ],
  [
    'hours to import',
    async (visit) => {
      await entries(visit);
      await act(visit, words['time-entries'].importHours);
      await visit.page.getByRole('heading', { name: words.hours.title, exact: true }).waitFor();
    },
  ],
  ['photos for Google Drive', (visit) => toTab(visit, words.web.photoSync)],
  ['photos to review', (visit) => toTab(visit, words.web.photos)],
  [
    'the figures of the district',
    async (visit) => {
      await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
      await visit.page
        .getByLabel(words.schools.header, { exact: true })
        .selectOption(words.analytics.wholeDistrict);
      await visit.page.getByLabel(words.analytics.period).selectOption(words.analytics.allTime);
      await visit.page.getByText(words.analytics.stopped).waitFor();
    },
  ],
  [
    'the log of the district',
    async (visit) => {
      await visit.press(visit.button(words.web.districtLog).locator('visible=true'));
      await visit.page.getByRole('heading', { name: words.web.districtLog }).waitFor();
    },
  ],
  [
    'a legal hold to place',
    async (visit) => {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await inDialog(visit, words.retention.addHold);
    },
  ],
];
