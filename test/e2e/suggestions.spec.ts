import { beforeAll, describe, expect, test } from 'vitest';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool, aSuggestion } from '../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let maria: Awaited<ReturnType<typeof aPerson>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let eve: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  fair = await anActivity(district, { school: lincoln, category: events, name: 'Book Fair' });
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

describe.each(looks(PHONE))('a volunteer on a $device', (look) => {
  test('suggests an activity and finds it in My Suggestions with its status', async () => {
    await arrive(look);
    await openSuggestions();
    await visit.sees(words.suggestions.noneYet);
    await visit.press(button(words.suggestions.new));
    await field(words.suggestions.name).fill('Bike repair day');
    await field(words.suggestions.description).fill('Free tune-ups');
    await field(words.suggestions.category).selectOption('Events');
    await field(words.suggestions.startDate).fill('2026-05-01');
    await field(words.suggestions.endDate).fill('2026-05-02');
    await field(words.suggestions.reason).fill('Many ride with bad brakes.');
    await visit.press(button(words.suggestions.submit));
    await visit.sees(words.suggestions.submitted);
    expect(await card('Bike repair day').innerText()).toMatch(
      /^Bike repair day\s+Pending\s+Events\s+May 1, 2026 to May 2, 2026\s+Suggested \w+ \d+, \d{4}\s+Free tune-ups\s+Many ride with bad brakes\.$/,
    );
    expect(await card('Bike repair day').locator('svg').count()).toBe(1);
    expect(await tab(words.suggestions.mine).evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test("sees the outcome of each suggestion and the reviewer's feedback", async () => {
    await arrive(look);
    const by = { by: maria, school: lincoln };
    await aSuggestion(district, { ...by, name: 'Book sale', activity: fair });
    await aSuggestion(district, {
      ...by,
      name: 'Night hike',
      status: 'rejected',
      adminReason: 'Not insured',
    });
    await aSuggestion(district, { ...by, name: 'Nite hike', status: 'deleted', adminReason: 'Sent twice' });
    await openSuggestions();
    await visit.press(button('Rejected (1)'));
    await visit.sees('Not insured');
    await visit.misses('Sent twice');
    expect(await card('Night hike').innerText()).toContain('Rejected');
    await visit.press(button('Deleted (1)'));
    await visit.sees('Sent twice');
    await visit.press(button('Pending (0)'));
    await visit.sees(words.suggestions.noneOfStatus);
    await visit.press(button('All (3)'));
    await expect
      .poll(() => card('Book sale').innerText())
      .toMatch(/Approved.*Log hours for Book Fair\s+Active$/s);
    await visit.press(button('Log hours for Book Fair'));
    await visit.page.getByRole('heading', { level: 2, name: 'Book Fair' }).waitFor();
    await visit.sees(words['time-entries'].howLong);
  });
});

describe.each(looks(PHONE))('an administrator on a $device', (look) => {
  let oak: Awaited<ReturnType<typeof aSchool>>;
  let number = 0;
  const row = (name: string) =>
    visit.page.getByRole('listitem').getByRole('button').filter({ hasText: name });
  const count = async () =>
    (await district.call('GET /api/admin/activity-suggestions/count', { token: ada.token })).body
      .pendingCount;
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

  test('sees all suggestions, and the number of pending ones as a badge', async () => {
    await arriveAtInbox();
    const main = visit.page.getByRole('tabpanel');
    for (const words of [
      'Pending',
      'Maria Lopez',
      maria.email,
      'Garden',
      'May 1, 2026 to May 2, 2026',
      'Free tune-ups',
      'Bad brakes',
    ]) {
      await main.getByText(words).first().waitFor();
    }
    const badge = visit.page.getByRole('tab', { name: `Suggestions ${await count()} pending` });
    await badge.waitFor();
    await aSuggested({ name: 'One more', isYearLong: true });
    // Simulates a user returning to the window.
    await visit.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await visit.page.getByRole('tab', { name: `Suggestions ${await count()} pending` }).waitFor();
    await visit.page.getByText('One more').first().waitFor();
    if (look.device === 'desktop') await visit.press(row('One more'));
    await main.getByText(words.suggestions.yearLong).waitFor();
    await inFull(() => expectAccessible(visit.page));
  });

  test('approves a suggestion in the prefilled activity form', async () => {
    await arriveAtInbox();
    const before = await count();
    await visit.press(visit.button('Approve Bike repair'));
    const panel = visit.page.getByRole('dialog', { name: words.suggestions.approveTitle });
    const value = (label: string) => panel.getByLabel(label, { exact: true }).inputValue();
    await panel.getByRole('option', { name: 'Garden' }).waitFor({ state: 'attached' });
    expect([await value('Name'), await value('Description'), await value('Start date')]).toEqual([
      'Bike repair',
      'Free tune-ups',
      '2026-05-01',
    ]);
    await panel.getByLabel(words.users.name, { exact: true }).fill('Bike repair day');
    await visit.press(panel.getByRole('button', { name: words.suggestions.approveSave }));
    await visit.sees(words.suggestions.approved);
    await visit.page.getByText('Listed as Bike repair day').waitFor();
    await visit.page.getByText(/^Approved by Ada /).waitFor();
    expect(await visit.page.getByRole('button', { name: /^(Approve|Reject) / }).count()).toBe(0);
    expect(await count()).toBe(before - 1);
    const { body } = await district.call(`GET /api/activities?schoolId=${oak.id}`, { token: maria.token });
    expect(body.activities).toMatchObject([{ name: 'Bike repair day', activeUntil: '2026-05-02' }]);
  });

  test('rejects a suggestion with a reason, marks it as deleted, and removes it permanently', async () => {
    await arriveAtInbox();
    await visit.press(visit.button('Reject Bike repair'));
    const box = visit.page.getByLabel(words.suggestions.reasonOptional);
    await visit.page.getByText('0 of 500 characters').waitFor();
    expect(await box.getAttribute('maxlength')).toBe('500');
    await box.fill('No room this spring');
    await visit.page.getByText('19 of 500 characters').waitFor();
    await visit.press(visit.button(words.suggestions.rejectTitle));
    await visit.sees(words.suggestions.rejected);
    await visit.sees('No room this spring');
    await visit.press(visit.button('Delete Bike repair'));
    await box.fill('Sent twice');
    await visit.press(visit.button(words.suggestions.deleteMark));
    await visit.sees(words.suggestions.markedDeleted);
    await visit.sees('Sent twice');
    await visit.press(visit.button('Delete Bike repair'));
    await visit.press(visit.button(words.suggestions.deleteForGood));
    await visit.sees(words.suggestions.removed);
    await visit.sees(`No one has suggested an activity for ${oak.name} yet.`);
  });
});
