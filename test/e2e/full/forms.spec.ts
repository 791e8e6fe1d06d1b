import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { transaction } from '#server/db/database.ts';
import { day } from '#shared/calendar-date.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  aSuggestion,
} from '../../builders.ts';
import { drawn } from '../../images/draw-image.ts';
import { upload } from '../../upload.ts';
import {
  DESKTOP,
  type District,
  open,
  openDistrict,
  PHONE,
  stepsToGoBack,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let maria: Awaited<ReturnType<typeof aPerson>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let visit: Visit;
/** The write requests of the page. */
let sent: string[];

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary', verification: 'on' });
  for (const name of ['Adams', 'Birch', 'Cedar', 'Dover', 'Elm', 'Franklin'])
    await aSchool(district, { name });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  const fair = await anActivity(district, { school: lincoln, category: events, name: 'Book fair' });
  maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  const ben = await aPerson(district, { schools: [lincoln], firstName: 'Ben', lastName: 'Okafor' });
  const wendy = await aPerson(district, { firstName: 'Wendy', lastName: 'Park', isProven: true });
  await district.deps.database.db
    .insertInto('user_schools')
    .values({
      user_id: wendy.id,
      school_id: lincoln.id,
      status: 'pending',
      created_at: district.clock.now(),
    })
    .execute();
  await anEntry(district, { by: maria, activity: fair, hours: 2 });
  await anEntry(district, { by: maria, activity: fair, hours: 4, date: '2025-09-01' });
  await district.deps.database.db
    .updateTable('schools')
    .set({ closed_before: day('2025-10-01') })
    .where('id', '=', lincoln.id)
    .execute();
  const walkIn = await aPerson(district, { firstName: 'Zoe', lastName: 'Walker', schools: [lincoln] });
  await district.deps.database.db
    .updateTable('users')
    .set({ is_walk_in: 1, contact_email: null })
    .where('id', '=', walkIn.id)
    .execute();
  const declined = await anEntry(district, { by: maria, activity: fair, hours: 3 });
  await district.deps.database.db
    .updateTable('time_entries')
    .set({ verification: 'declined', decision_note: 'Not on the sheet' })
    .where('id', '=', declined.id)
    .execute();
  const games = await anActivity(district, { school: lincoln, category: events, name: 'Chess games' });
  const asked = await anEntry(district, { by: maria, activity: games, hours: 1 });
  await district.deps.database.db
    .updateTable('activities')
    .set({ verification: 'outside' })
    .where('id', '=', games.id)
    .execute();
  await district.deps.database.db
    .updateTable('time_entries')
    .set({ verification: 'waiting', external_verifier: 'coach@club.example' })
    .where('id', '=', asked.id)
    .execute();
  await aSuggestion(district, { by: maria, school: lincoln, category: events, name: 'Chess club' });
  const picture = await drawn(400, 300).jpeg().toBuffer();
  await upload(district, {
    by: maria,
    to: fair,
    files: [{ name: 'fair.jpg', content: picture }],
    fields: { schoolId: String(lincoln.id) },
  });
  const erasure = await district.call('POST /api/profile/erasure-request', { token: ben.token, body: {} });
  expect(erasure.status).toBeLessThan(300);
});

const page = () => visit.page;
const field = (label: string) => page().getByLabel(label, { exact: true });
const press = (name: string | RegExp) => visit.press(visit.button(name).first());
const tab = (name: string) => visit.press(page().getByRole('tab', { name }));
const question = () => page().getByRole('alertdialog', { name: words.web.discardTitle });
const goTo = (name: string) =>
  tab(name).then(() => field(words.schools.filter).selectOption('Lincoln Elementary'));

type Form = Readonly<{
  name: string;
  /** The source file of the form. */
  file: string;
  who: 'stranger' | 'volunteer' | 'administrator';
  reach: () => Promise<unknown>;
  /** The field to type into; a checkbox is checked instead. */
  typeInto: () => Locator;
  box?: true;
  /** The option to choose instead of typing. */
  choice?: string;
  /** The number to type if the field accepts only numbers. */
  number?: string;
  /** The form is on the page itself, where Escape closes nothing. */
  isInline?: true;
  /** The parent component stores the input when the dialog closes, so it does not ask. */
  isStored?: true;
  /** The form is prefilled when it opens. */
  isBegun?: true;
  /** Back leaves the app, where only the browser can ask. */
  isFirst?: true;
}>;

const settings = () => press('Settings');
const suggestions = () => goTo('Suggestions');
const entries = () => goTo('Time Entries');

const FORMS: readonly Form[] = [
  {
    name: 'registration',
    file: 'users/registration/web/registration-form.tsx',
    who: 'stranger',
    reach: () => press("Don't have an account? Create one"),
    typeInto: () => field(words.users.firstName),
    isInline: true,
  },
  {
    name: 'a new password from an emailed link',
    file: 'auth/passwords/web/reset-password.tsx',
    who: 'stranger',
    reach: async () => {
      const { database } = district.deps;
      const token = await transaction(database, (trx) =>
        createPasswordLink(trx, maria.id, district.clock.now(), 24),
      );
      await page().goto(`/?token=${token}`);
    },
    typeInto: () => field(words.users.newPassword),
    isInline: true,
    isFirst: true,
  },
  {
    name: 'hours to log',
    file: 'time-entries/web/log-time-form.tsx',
    who: 'volunteer',
    reach: async () => {
      await page().getByRole('searchbox').fill('Book fair');
      await press(/^Book fair/);
      await press('Add a note');
    },
    typeInto: () => field(words['time-entries'].notes),
    isInline: true,
  },
  {
    name: 'an edited entry',
    file: 'time-entries/web/edit-entry-dialog.tsx',
    who: 'volunteer',
    reach: async () => {
      await tab(words.web.recentActivity);
      await press(/^Edit Book fair/);
    },
    typeInto: () => field(words['time-entries'].notes),
  },
  {
    name: 'a request to reopen hours',
    file: 'time-entries/web/own-verification-status.tsx',
    who: 'volunteer',
    reach: async () => {
      await tab(words.web.recentActivity);
      await press(/^Ask for a change/);
    },
    typeInto: () => page().getByRole('dialog').getByRole('textbox'),
  },
  {
    name: "another external verifier's address",
    file: 'verification/external-verifiers/web/own-request-status.tsx',
    who: 'volunteer',
    reach: async () => {
      await tab(words.web.recentActivity);
      await press(/^Change the address for/);
    },
    typeInto: () => page().getByRole('dialog').getByRole('textbox'),
  },
  {
    name: 'a goal',
    file: 'time-entries/goals/web/year-goal.tsx',
    who: 'volunteer',
    reach: async () => {
      await tab(words.web.recentActivity);
      await press(words.goals.goalSet);
    },
    typeInto: () => field(words.goals.goalField),
    number: '40',
  },
  {
    name: 'a household code',
    file: 'users/households/web/household.tsx',
    who: 'volunteer',
    reach: async () => {
      await tab(words.web.recentActivity);
      await press(words.households.start);
    },
    typeInto: () => field(words.households.codeField),
  },
  {
    name: 'milestones',
    file: 'time-entries/goals/web/admin-milestones.tsx',
    who: 'administrator',
    reach: async () => {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await press(words.goals.milestonesSet);
      await press(words.goals.milestoneAdd);
    },
    typeInto: () => field(words.goals.milestoneWords),
    isBegun: true,
  },
  {
    name: 'a suggestion',
    file: 'activities/suggestions/web/suggestion-form.tsx',
    who: 'volunteer',
    reach: async () => {
      await press('Suggest Activity');
      await tab(words.suggestions.new);
    },
    typeInto: () => field(words.suggestions.name),
    isStored: true,
  },
  {
    name: 'the profile',
    file: 'users/web/profile-section.tsx',
    who: 'volunteer',
    reach: settings,
    typeInto: () => field(words.users.firstName),
    isStored: true,
  },
  {
    name: 'a password change',
    file: 'auth/passwords/web/password-section.tsx',
    who: 'volunteer',
    reach: settings,
    typeInto: () => field(words.auth.currentPassword),
  },
  {
    name: 'an account deletion request',
    file: 'privacy/web/account-deletion.tsx',
    who: 'volunteer',
    reach: async () => {
      await settings();
      await press('Delete my account');
    },
    typeInto: () => field(words.privacy.eraseReason),
  },
  {
    name: 'a caption',
    file: 'photos/web/photo-dialogs.tsx',
    who: 'volunteer',
    reach: async () => {
      await photosOfFair();
      await visit.press(page().locator('[data-photo]').first());
      await press('Edit caption');
    },
    typeInto: () => field(words.photos.caption),
  },
  {
    name: 'a request to hide a photo',
    file: 'photos/web/photo-viewer.tsx',
    who: 'volunteer',
    reach: async () => {
      await photosOfFair();
      await visit.press(page().locator('[data-photo]').first());
      await press('Ask to take this down');
    },
    typeInto: () => page().getByRole('dialog').last().getByRole('textbox'),
  },
  {
    name: 'photos to upload',
    file: 'photos/web/upload-form.tsx',
    who: 'volunteer',
    reach: async () => {
      await photosOfFair();
      const buffer = await drawn(300, 300).png().toBuffer();
      await page()
        .locator('input[type="file"][multiple]')
        .setInputFiles({ name: 'new.png', mimeType: 'image/png', buffer });
    },
    typeInto: () => field(words.photos.captionOptional),
    isInline: true,
    isBegun: true,
  },
  {
    name: 'the photo settings',
    file: 'photos/web/admin-photos.tsx',
    who: 'administrator',
    reach: async () => {
      await visit.press(page().getByRole('tab', { name: /^Photos( \d|$)/ }));
      await field(words.schools.filter).selectOption(words.schools.all);
      await press(words.photos.settingsPart);
    },
    typeInto: () => page().getByRole('checkbox', { name: words.photos.askConsent }),
    box: true,
    isInline: true,
  },
  {
    name: 'a user',
    file: 'users/web/admin-user-form.tsx',
    who: 'administrator',
    reach: () => press('ADD USER'),
    typeInto: () => field(words.users.firstName),
  },
  {
    name: 'a guest volunteer',
    file: 'users/guest-volunteers/web/admin-guest-volunteer-form.tsx',
    who: 'administrator',
    reach: () => press(/^Zoe Walker/),
    typeInto: () => field(words.users.walkInEmail),
  },
  {
    name: 'a role of a user',
    file: 'users/web/admin-user-form.tsx',
    who: 'administrator',
    reach: async () => {
      await press('Maria Lopez');
      await press(words.users.grantAdd);
    },
    typeInto: () => page().locator('select[name="grants.0.role"]'),
    choice: 'coordinator',
    isBegun: true,
  },
  {
    name: 'an approval with a role',
    file: 'users/memberships/web/admin-membership-requests.tsx',
    who: 'administrator',
    reach: async () => {
      await press(/^Requests/);
      await press('Approve as…: Wendy Park, Lincoln Elementary');
    },
    typeInto: () => page().getByRole('dialog').getByLabel(words.users.role),
    choice: 'coordinator',
  },
  {
    name: 'an invitation',
    file: 'users/invitations/web/admin-invitations.tsx',
    who: 'administrator',
    reach: async () => {
      await press(/^Invitations/);
      await press('INVITE');
    },
    typeInto: () => field(words.users.email),
  },
  {
    name: 'a list of people',
    file: 'imports/people/web/admin-import-people.tsx',
    who: 'administrator',
    reach: () => press('Import'),
    typeInto: () => page().locator('textarea[name="csv"]'),
    isInline: true,
  },
  {
    name: 'a declined account deletion',
    file: 'privacy/web/admin-deletion-requests.tsx',
    who: 'administrator',
    reach: async () => {
      await press(/^Account deletions/);
      await press('Decline the request from Ben Okafor');
    },
    typeInto: () => page().getByRole('dialog').getByRole('textbox'),
  },
  {
    name: 'a test email',
    file: 'operations/web/admin-email-queue.tsx',
    who: 'administrator',
    reach: async () => {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await press(words.operations.testMail);
    },
    typeInto: () => field(words.operations.testTo),
  },
  {
    name: 'a retention period',
    file: 'privacy/retention/web/admin-retention.tsx',
    who: 'administrator',
    reach: async () => {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await press(`Change retention: ${words.retention.entries}`);
    },
    typeInto: () => field(words.retention.forever),
    box: true,
  },
  {
    name: 'a legal hold',
    file: 'privacy/legal-holds/web/admin-legal-holds.tsx',
    who: 'administrator',
    reach: async () => {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await press(words.retention.addHold);
    },
    typeInto: () => field(words.retention.holdReason),
  },
  {
    name: 'a school',
    file: 'schools/web/admin-school-form.tsx',
    who: 'administrator',
    reach: async () => {
      await tab(words.users.schools);
      await press('ADD SCHOOL');
    },
    typeInto: () => field(words.users.name),
  },
  {
    name: "the signatory of a school's letters",
    file: 'schools/web/admin-service-letter-template.tsx',
    who: 'administrator',
    reach: async () => {
      await tab(words.users.schools);
      await press('Lincoln Elementary');
      await press(words.schools.letterTemplate);
    },
    typeInto: () => field(words.schools.letterSigner),
  },
  {
    name: 'a category',
    file: 'activities/categories/web/admin-category-form.tsx',
    who: 'administrator',
    reach: async () => {
      await goTo('Categories');
      await press('ADD CATEGORY');
    },
    typeInto: () => field(words.users.name),
  },
  {
    name: 'an activity',
    file: 'activities/web/admin-activity-form-fields.tsx',
    who: 'administrator',
    reach: async () => {
      await goTo('Activities');
      await press('ADD ACTIVITY');
    },
    typeInto: () => field(words.users.name),
  },
  {
    name: 'several categories',
    file: 'activities/categories/web/admin-add-categories.tsx',
    who: 'administrator',
    reach: async () => {
      await goTo('Categories');
      await press('Add several');
    },
    typeInto: () => page().getByRole('dialog').getByRole('textbox'),
  },
  {
    name: 'the schools to copy an activity to',
    file: 'schools/web/admin-copy-to-schools.tsx',
    who: 'administrator',
    reach: async () => {
      await goTo('Activities');
      await press('Book fair');
      await press('Copy to other schools');
    },
    typeInto: () => field('Adams'),
    box: true,
  },
  {
    name: 'the approval of a suggestion',
    file: 'activities/web/admin-activity-form-fields.tsx',
    who: 'administrator',
    reach: async () => {
      await suggestions();
      await press(/^Chess club/);
      await press('Approve Chess club');
    },
    typeInto: () => field(words.users.name),
  },
  {
    name: 'the rejection of a suggestion',
    file: 'activities/suggestions/web/admin-suggestion-decisions.tsx',
    who: 'administrator',
    reach: async () => {
      await suggestions();
      await press(/^Chess club/);
      await press('Reject Chess club');
    },
    typeInto: () => page().getByRole('dialog').getByRole('textbox'),
  },
  {
    name: 'hours for a volunteer',
    file: 'time-entries/admin-list/web/admin-log-for-volunteer.tsx',
    who: 'administrator',
    reach: async () => {
      await entries();
      await press('Add hours');
    },
    typeInto: () => field(words['time-entries'].notes),
  },
  {
    name: 'the reason for deleting hours of a closed period',
    file: 'time-entries/web/closed-period-reason.tsx',
    who: 'administrator',
    reach: async () => {
      await entries();
      await press(/^Delete Book fair, Maria Lopez, 4 h/);
    },
    typeInto: () => field(words['time-entries'].closedReason),
  },
  {
    name: 'the two-factor requirement',
    file: 'auth/two-factor/web/admin-two-factor-requirement.tsx',
    who: 'administrator',
    reach: () => press('System'),
    typeInto: () => page().getByRole('combobox', { name: words.retention.demandWho }),
    choice: 'administrators',
    isInline: true,
  },
  {
    name: 'the start of the school year',
    file: 'schools/district-settings/web/admin-district-settings.tsx',
    who: 'administrator',
    reach: async () => {
      await press('System');
      await press('Open settings');
    },
    typeInto: () => page().getByRole('combobox', { name: words['district-settings'].settingsYear }),
    choice: '09',
    isInline: true,
  },
  {
    name: 'a mail server',
    file: 'schools/district-settings/web/admin-email-settings.tsx',
    who: 'administrator',
    reach: async () => {
      await press('System');
      await press('Open settings');
      await press('Add mail server');
    },
    typeInto: () => field(words['district-settings'].postHost),
    isInline: true,
  },
  {
    name: 'the hourly rate',
    file: 'reports/analytics/web/admin-report-sections.tsx',
    who: 'administrator',
    reach: async () => {
      await tab(words.analytics.title);
      await page().getByRole('combobox').first().selectOption('Lincoln Elementary');
      await page().getByLabel(words.analytics.period, { exact: true }).selectOption(words.analytics.allTime);
      await press('Set the hourly rate');
    },
    typeInto: () => page().getByRole('dialog').getByRole('textbox').last(),
  },
];

/** Files without an entry of their own: the form is shared, or losing its input does no harm. */
const ELSEWHERE = [
  // The pasted list is stored in the tab. effort-activities.spec.ts tests that.
  'activities/bulk/web/admin-bulk-activities.tsx',
  // The list of names is stored in the tab. content-translations.spec.ts tests that.
  'schools/content-translations/web/admin-paste-translations.tsx',
  'auth/web/sign-in-form.tsx',
  'auth/web/email-link-request.tsx',
  // The page of an emailed link has only a new password. The registration tests fill it in.
  'users/web/confirm-email.tsx',
  // It has only the account's password, as at sign-in. The provider sign-in tests fill it in.
  'auth/oidc/web/provider-link-form.tsx',
  // These have only a password or a name that is not used yet. Their tests fill them in.
  'auth/re-authentication/web/re-authentication-dialog.tsx',
  'auth/two-factor/web/passkeys.tsx',
  // These have only a one-time code. two-factor.spec.ts fills them in.
  'auth/two-factor/web/two-factor-sign-in-screen.tsx',
  'auth/two-factor/web/two-factor-section.tsx',
  // Hours or a reason for one entry. The tests of the verification queue fill them in.
  'verification/web/admin-verification-dialogs.tsx',
  // It has a single choice, which is quickly made again. language.spec.ts tests it.
  'users/web/language-select.tsx',
  // It needs hours that are pending on the device. offline.spec.ts tests it.
  'time-entries/web/edit-offline-hours-dialog.tsx',
  // It has only a checkbox.
  'privacy/web/admin-delete-account-dialog.tsx',
  // It has only choices between two, which are quickly made again. duplicates.spec.ts tests it.
  'users/merging/web/admin-merge-dialog.tsx',
  // The input is stored in the tab. announcements.spec.ts tests that.
  'notifications/announcements/web/admin-announcement-form.tsx',
  // The shared first part of the two forms above that log hours for others.
  'time-entries/admin-list/web/admin-entry-form.tsx',
  // Its choices are quickly made again. service-letters.spec.ts tests it.
  'reports/service-letters/web/letters-panel.tsx',
  'reports/service-letters/web/admin-service-letters.tsx',
  // Its choices are quickly made again, and it remembers the last ones. sign-in-sheet.spec.ts tests it.
  'time-entries/sign-in-sheets/web/admin-sign-in-sheet-form.tsx',
  // A public page with a code and a name, which are on the letter.
  'reports/service-letters/web/letter-check-page.tsx',
  // The input is stored in the tab. import-hours.spec.ts tests that.
  'imports/hours/web/admin-file-step.tsx',
  'imports/hours/web/admin-columns-step.tsx',
  'imports/hours/web/admin-questions-step.tsx',
  // It needs a connected drive. The form is a usual dialog.
  'photos/google-drive/web/admin-photo-sync.tsx',
];

async function photosOfFair() {
  await tab(words.web.managePhotos);
  await press(/^Book fair/);
}

async function arrive({ who, reach }: Form, look = DESKTOP) {
  const as = { stranger: undefined, volunteer: maria, administrator: ada }[who];
  visit = await open(district, { look, ...(as === undefined ? {} : { as }) });
  if (who === 'administrator') await toAdminPanel(visit);
  await reach();
  sent = [];
  page().on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
}

/** Types a word or checks a box. Returns a function that expects it to be still there. */
async function begin(form: Form): Promise<() => Promise<unknown>> {
  const target = form.typeInto();
  await target.waitFor();
  if (form.box === true) {
    const before = await target.isChecked();
    await visit.press(target);
    return () => expect.poll(() => target.isChecked()).toBe(!before);
  }
  if (form.choice !== undefined) {
    await target.selectOption(form.choice);
    return () => expect.poll(() => target.inputValue()).toBe(form.choice);
  }
  const typed = form.number ?? 'something begun';
  await target.fill(typed);
  return () => expect.poll(() => target.inputValue()).toBe(typed);
}

/** Whether the browser asks before the page is closed or reloaded. */
const isGuarded = () =>
  page().evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

/**
 * Returns how many times Back can be used before it leaves the page. Count again after a step that the page prevented.
 */
const steps = () => stepsToGoBack(page());

/** Types a word and Enter into every visible search box, including those inside the form. */
async function pressEnterInSearches() {
  for (const search of await page().getByRole('searchbox').locator('visible=true').all()) {
    const isCovered = await search.evaluate((box) => box.closest('[inert], [aria-hidden="true"]') !== null);
    if (isCovered) continue;
    await search.fill('no such thing');
    await search.press('Enter');
    await search.press('Escape');
    expect(await search.inputValue()).toBe('');
  }
}

test('this file lists every form of the product', () => {
  const named = new Set([...FORMS.map(({ file }) => file), ...ELSEWHERE]);
  const made = globSync('src/{features/**/web,app/web}/**/*.tsx')
    .filter((path) => !path.includes('.test.'))
    .filter((path) => /useForm[<(]|<form\b/.test(readFileSync(path, 'utf8')))
    .map((path) => path.replace(/^src\/features\//, ''));
  expect(made.filter((path) => !named.has(path))).toEqual([]);
  expect([...named].filter((path) => !existsSync(`src/features/${path}`))).toEqual([]);
});

describe('Enter in a search, Escape, Back and a reload', () => {
  test.each(FORMS.map((form) => [form.name, form] as const))(
    'neither submit nor lose the unfinished form: %s',
    async (_, form) => {
      await arrive(form);
      expect(await isGuarded(), 'nothing is begun yet').toBe(form.isBegun === true);
      const isStillThere = await begin(form);
      await pressEnterInSearches();
      await isStillThere();
      expect(await isGuarded()).toBe(true);
      if (form.isStored === true) return expectInputStored(form, isStillThere);
      const stepsBefore = await steps();

      await page().keyboard.press('Escape');
      if (form.isInline !== true) {
        await question().waitFor();
        await visit.press(question().getByRole('button', { name: words.web.keepEditing }));
        await question().waitFor({ state: 'hidden' });
      }
      await isStillThere();
      if (form.isFirst !== true) {
        await expect.poll(steps).toBe(stepsBefore);
        await page().goBack();
        await question().waitFor();
        // Back and Escape close only the question.
        await page().keyboard.press('Escape');
        await question().waitFor({ state: 'hidden' });
        await isStillThere();
        await expect.poll(steps).toBe(stepsBefore);
        await page().goBack();
        await visit.press(question().getByRole('button', { name: words.web.discard }));
        await form.typeInto().waitFor({ state: 'hidden' });
        await expect.poll(isGuarded).toBe(false);
      }
      expect(sent).toEqual([]);
    },
  );
});

async function expectInputStored(form: Form, isStillThere: () => Promise<unknown>) {
  await page().keyboard.press('Escape');
  await form.typeInto().waitFor({ state: 'hidden' });
  expect(await question().count()).toBe(0);
  expect(await isGuarded()).toBe(true);
  await form.reach();
  await isStillThere();
  await page().goBack();
  await form.typeInto().waitFor({ state: 'hidden' });
  expect(sent).toEqual([]);
}

describe('an unfinished form on the page', () => {
  beforeEach(async () => {
    maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
    await arrive(FORMS.find(({ name }) => name === 'hours to log') as Form, PHONE);
  });

  test.each([
    ['another tab', () => tab(words.web.recentActivity)],
    ['the same tab', () => tab(words.web.logTime)],
    ['the photos of the activity', () => press('Photos')],
    [
      'signing out',
      async () => {
        await press('Menu');
        await visit.press(page().getByRole('menuitem', { name: words.auth.logout }));
      },
    ],
  ])('asks before the user leaves it for %s', async (_, leave) => {
    await field(words['time-entries'].notes).fill('Sold books');
    await leave();
    await visit.press(question().getByRole('button', { name: words.web.keepEditing }));
    await question().waitFor({ state: 'hidden' });
    expect(await field(words['time-entries'].notes).inputValue()).toBe('Sold books');
    await leave();
    await visit.press(question().getByRole('button', { name: words.web.discard }));
    await field(words['time-entries'].notes).waitFor({ state: 'hidden' });
  });

  test('asks nothing if nothing was entered', async () => {
    await tab(words.web.recentActivity);
    await page().getByRole('heading', { name: words.web.recentActivity }).waitFor();
    expect(await question().count()).toBe(0);
  });
});

describe('the search for a volunteer', () => {
  test('selects the only match with Enter, however fast it was typed', async () => {
    await arrive(FORMS.find(({ name }) => name === 'hours for a volunteer') as Form);
    const search = page().getByRole('searchbox', { name: words.users.searchVolunteers });
    await search.pressSequentially('okaf');
    await search.press('Enter');
    await visit.button(words['time-entries'].change).waitFor();
    expect(await page().getByRole('dialog').getByText('Ben Okafor').count()).toBe(1);
    expect(
      await visit.button(words['time-entries'].change).evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await visit.misses(words['time-entries'].volunteerRequired);
  });
});
