import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool, aSuggestion } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let maria: Awaited<ReturnType<typeof aPerson>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let eve: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  await anActivity(district, { school: lincoln, category: events, name: 'Book Fair' });
  await anActivity(district, { school: lincoln, category: events, name: 'Bake Sale', isActive: false });
  ada = await anAdministrator(district);
  eve = await aPerson(district, { role: 'admin', firstName: 'Eve', lastName: 'Stone' });
});

const dialog = () => visit.page.getByRole('dialog', { name: words.suggestions.dialogTitle });
const field = (label: string) => dialog().getByLabel(label, { exact: true });
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const tab = (name: string) => dialog().getByRole('tab', { name });
const card = (name: string) => dialog().getByRole('listitem').filter({ hasText: name });

async function arrive(look: Look = DESKTOP) {
  maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  visit = await open(district, { look, as: maria });
}

async function openSuggestions() {
  await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
  if (visit.look.device === 'phone') {
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.web.suggestActivity }));
  } else {
    await visit.press(visit.button(words.web.suggestActivity));
  }
  await dialog().waitFor();
}

describe('a new suggestion', () => {
  beforeEach(async () => {
    await arrive();
    await openSuggestions();
    await visit.press(tab(words.suggestions.new));
  });

  test('survives closing the dialog until it is cleared', async () => {
    await field(words.suggestions.name).fill('Half an idea');
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await visit.sees(words.suggestions.draftKept);
    await openSuggestions();
    expect(await field(words.suggestions.name).inputValue()).toBe('Half an idea');
    await visit.press(button(words.suggestions.clear));
    expect(await field(words.suggestions.name).inputValue()).toBe('');
  });

  test('has no dates if it is year-long, and no end without a start', async () => {
    expect(await field(words.suggestions.endDate).isDisabled()).toBe(true);
    await field(words.suggestions.startDate).fill('2026-05-02');
    await field(words.suggestions.endDate).fill('2026-05-01');
    expect(await field(words.suggestions.endDate).getAttribute('min')).toBe('2026-05-02');
    await field(words.suggestions.name).fill('Backwards');
    await visit.press(button(words.suggestions.submit));
    await visit.sees(words.activities.endBeforeStart);
    await field(words.suggestions.startDate).fill('');
    expect(await field(words.suggestions.endDate).inputValue()).toBe('');
    await field(words.suggestions.startDate).fill('2026-05-02');
    await dialog().getByRole('checkbox', { name: words.suggestions.yearLongBox }).check();
    expect(await field(words.suggestions.startDate).count()).toBe(0);
    await dialog().getByRole('checkbox', { name: words.suggestions.yearLongBox }).uncheck();
    expect(await field(words.suggestions.startDate).inputValue()).toBe('');
  });

  test('shows similar activities while its name is typed', async () => {
    await field(words.suggestions.name).fill('bok fairs');
    await visit.sees(words.suggestions.didYouMean);
    await field(words.suggestions.name).fill('Bake sales');
    await visit.sees(words.suggestions.activityInactive);
    await field(words.suggestions.name).fill('Chess');
    await visit.misses(words.suggestions.didYouMean);
    await field(words.suggestions.name).fill('Books fair');
    await visit.press(button('Book Fair'));
    await visit.sees(words['time-entries'].howLong);
  });

  test('stops at its length limits, with counters from 80% on', async () => {
    for (const [label, max] of [
      ['Activity name', 100],
      ['Description', 200],
      ['Reason', 500],
    ] as const) {
      await field(label).fill('x'.repeat(max * 0.8 - 1));
      await visit.misses(`${max * 0.8} of ${max} characters`);
      await field(label).press('End');
      await field(label).press('x');
      await visit.sees(`${max * 0.8} of ${max} characters`);
      expect(await field(label).getAttribute('maxlength')).toBe(String(max));
    }
  });

  test('shows the specified message if it fails, and can be sent again unchanged', async () => {
    await field(words.suggestions.name).fill('Not lucky');
    await visit.breakAt('POST /api/activity-suggestions', 'no answer');
    await visit.press(button(words.suggestions.submit));
    await visit.sees(words.shared.networkError);
    await visit.mend();
    await visit.breakAt('POST /api/activity-suggestions', 503);
    await visit.press(button(words.suggestions.submit));
    await visit.sees('Request failed with status 503');
    await visit.mend();
    visit.expectFailure('502 POST /api/activity-suggestions');
    await visit.page.route('**/api/activity-suggestions', (route) =>
      route.fulfill({ status: 502, json: {} }),
    );
    await visit.press(button(words.suggestions.submit));
    await visit.sees('HTTP 502');
    expect(await field(words.suggestions.name).inputValue()).toBe('Not lucky');
    await visit.mend();
    await visit.press(button(words.suggestions.submit));
    await visit.sees(words.suggestions.submitted);
    await card('Not lucky').waitFor();
  });
});

test('My Suggestions shows the specified message if it fails to load', async () => {
  await arrive();
  await visit.breakAt('GET /api/my-activity-suggestions', 503);
  await openSuggestions();
  await visit.sees(words.suggestions.failedToLoadOwn);
  await visit.sees('Request failed with status 503');
  await visit.mend();
  await visit.press(button(words.web.tryAgain));
  await visit.sees(words.suggestions.noneYet);
});

test('a volunteer submits a suggestion by keyboard alone', async () => {
  await arrive();
  await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
  const press = (key: string) => visit.page.keyboard.press(key);
  await visit.button(words.web.suggestActivity).focus();
  await press('Enter');
  await dialog().waitFor();
  await tab(words.suggestions.mine).focus();
  await press('ArrowRight');
  await press('Tab');
  expect(await field(words.suggestions.name).evaluate((one) => one === document.activeElement)).toBe(true);
  await visit.page.keyboard.type('Keys only');
  await press('Enter');
  await visit.sees(words.suggestions.submitted);
  await press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  expect(
    await visit.button(words.web.suggestActivity).evaluate((one) => one === document.activeElement),
  ).toBe(true);
});

test('emails about decisions can be turned off in Settings, and stay off', async () => {
  await arrive();
  const settings = visit.page.getByRole('dialog', { name: words.users.settingsTitle });
  const box = settings.getByRole('checkbox', { name: words.suggestions.emailDecisions });
  await visit.press(visit.button(words.users.settings));
  await box.waitFor();
  expect(await box.isChecked()).toBe(true);
  expect(await settings.getByText(words.suggestions.emailDaily).count()).toBe(0);
  // `uncheck` would expect the change at once, but a busy machine renders it later.
  await visit.press(box);
  await visit.sees(words.suggestions.emailSaved);
  await visit.page.reload();
  await visit.press(visit.button(words.users.settings));
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
});

describe.each([PHONE, DESKTOP])('an administrator on a $device', (look) => {
  let oak: Awaited<ReturnType<typeof aSchool>>;
  let number = 0;
  const item = (name: string) => visit.page.getByRole('listitem').filter({ hasText: name });
  const api = (path: string, body: object, token = eve.token) =>
    district.call(`POST /api/${path}`, { token, body });

  async function aSuggested(body: object): Promise<number> {
    const reply = await api('activity-suggestions', { schoolId: oak.id, ...body }, maria.token);
    return reply.body.suggestion.id;
  }

  /** Opens the suggestions of a school that has one with every field filled. */
  async function arriveAtInbox(body: object = {}) {
    oak = await aSchool(district, { name: `Oak ${look.device} ${++number}` });
    const garden = await aCategory(district, { school: oak, name: 'Garden' });
    maria = await aPerson(district, { schools: [oak], firstName: 'Maria', lastName: 'Lopez' });
    const id = await aSuggested({
      name: 'Bike repair',
      description: 'Free tune-ups',
      reason: 'Bad brakes',
      categoryId: garden.id,
      activeFrom: '2026-05-01',
      activeUntil: '2026-05-02',
      ...body,
    });
    await openInbox();
    return id;
  }

  async function openInbox() {
    visit = await open(district, { look, as: ada });
    await toAdminPanel(visit);
    await visit.press(visit.page.getByRole('tab', { name: /^Suggestions/ }));
    await visit.page.getByLabel(words.schools.filter).selectOption(oak.name);
    await visit.page.getByText('Bike repair').first().waitFor();
  }

  // The two kinds of decision: in the side panel of a form, and in a dialog.
  test.each([look.device === 'phone' ? 'Approve' : 'Delete'])(
    'sees who already decided a suggestion after choosing %s',
    async (deed) => {
      const id = await arriveAtInbox();
      await visit.press(visit.button(`${deed} Bike repair`));
      visit.expectFailure(/^409 (POST|DELETE) \/api\/admin\/activity-suggestions/);
      await api(`admin/activity-suggestions/${id}/reject`, { reason: 'Eve was faster' });
      await visit.press(
        visit.page.getByRole('button', {
          name:
            { Approve: 'Approve and create activity', Reject: 'Reject suggestion' }[deed] ??
            'Delete permanently',
        }),
      );
      await visit.sees('Eve Stone has already rejected this suggestion.');
      await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
      await visit.sees('Eve was faster');
      expect(await item('Bike repair').first().innerText()).toContain('Rejected');
    },
  );
});

describe('the Suggestions tab', () => {
  test('loads suggestions only after a school is chosen or all are requested, and shows a load error', async () => {
    const asked: string[] = [];
    visit = await open(district, { as: ada });
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visit.press(visit.button(words.web.admin));
    const tabs = visit.page.getByRole('tab');
    await tabs.filter({ hasText: words.activities.title }).waitFor();
    expect((await tabs.allInnerTexts()).map((name) => name.replace(/\s+\d+.*$/s, ''))).toEqual(
      expect.arrayContaining(['Activities', 'Suggestions', 'Time Entries']),
    );
    await visit.page.getByRole('tab', { name: /^Suggestions \d+ pending$/ }).waitFor();
    expect(asked).toContain('/api/admin/activity-suggestions/count');
    expect(asked).not.toContain('/api/admin/activity-suggestions');
    await visit.press(visit.page.getByRole('tab', { name: /^Suggestions/ }));
    await visit.sees(words.schools.selectOne);
    expect(asked).not.toContain('/api/admin/activity-suggestions');
    await visit.breakAt('GET /api/admin/activity-suggestions', 503);
    await visit.press(visit.button(/^Show \d+ pending at all schools$/));
    await visit.sees(words.suggestions.failedToLoad);
    await visit.sees('Request failed with status 503');
    await visit.page.getByLabel(words.schools.filter).selectOption('Choose a school');
    await visit.sees(words.activities.schoolRequired);
  });

  test('selects and rejects a suggestion by keyboard', async () => {
    const cedar = await aSchool(district, { name: 'Cedar' });
    for (const name of ['First idea', 'Second idea'])
      await aSuggestion(district, { by: eve, school: cedar, name });
    visit = await open(district, { as: ada });
    await visit.press(visit.button(words.web.admin));
    await visit.page.getByRole('tab', { name: /^Suggestions/ }).press('Enter');
    await visit.page.getByLabel(words.schools.filter).selectOption('Cedar');
    const rows = visit.page.getByRole('listitem').getByRole('button');
    await rows.first().focus();
    expect(await rows.first().getAttribute('aria-current')).toBe('true');
    await visit.page.keyboard.press('ArrowDown');
    await visit.page.keyboard.press('Enter');
    await visit.button('Reject First idea').focus();
    await visit.page.keyboard.press('Enter');
    await expect
      .poll(() => visit.page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null))
      .toBe(true);
    await visit.page.getByLabel(words.suggestions.reasonOptional).focus();
    await visit.page.keyboard.type('Keys only');
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    await visit.sees(words.suggestions.rejected);
    await visit.sees('Keys only');
  });

  test('sends no requests for a volunteer', async () => {
    const asked: string[] = [];
    maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
    visit = await open(district, {
      as: maria,
      before: async (page) => {
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      },
    });
    await openSuggestions();
    await visit.sees(words.suggestions.noneYet);
    expect(asked).toContain('/api/my-activity-suggestions');
    expect(asked.filter((path) => path.startsWith('/api/admin'))).toEqual([]);
  });
});
