import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCategory, anActivity, aPerson, aSchool, aSuggestion } from '../builders.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE, type Visit } from './browser.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let maria: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  fair = await anActivity(district, { school: lincoln, category: events, name: 'Book Fair' });
  await anActivity(district, { school: lincoln, category: events, name: 'Bake Sale', isActive: false });
});

const dialog = () => visit.page.getByRole('dialog', { name: 'Activity Suggestions' });
const field = (label: string) => dialog().getByLabel(label, { exact: true });
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const tab = (name: string) => dialog().getByRole('tab', { name });
const card = (name: string) => dialog().getByRole('listitem').filter({ hasText: name });

async function arrive(look: Look = DESKTOP) {
  maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  visit = await open(district, { look, as: maria });
}

async function openSuggestions() {
  await visit.page.getByRole('heading', { name: 'What did you help with?' }).waitFor();
  if (visit.look.device === 'phone') {
    await visit.press(visit.button('Menu'));
    await visit.press(visit.page.getByRole('menuitem', { name: 'Suggest Activity' }));
  } else {
    await visit.press(visit.button('Suggest Activity'));
  }
  await dialog().waitFor();
}

describe.each([PHONE, DESKTOP])('a volunteer on a $device', (look) => {
  test('suggests an activity and finds it among their own, with its status', async () => {
    await arrive(look);
    await openSuggestions();
    await visit.sees('You have not suggested an activity yet. What is missing at your school?');
    await visit.press(button('New Suggestion'));
    await field('Activity name').fill('Bike repair day');
    await field('Description').fill('Free tune-ups');
    await field('Category').selectOption('Events');
    await field('Start date').fill('2026-05-01');
    await field('End date').fill('2026-05-02');
    await field('Reason').fill('Many ride with bad brakes.');
    await visit.press(button('Submit suggestion'));
    await visit.sees('Activity suggestion submitted successfully! You can check its status anytime.');
    expect(await card('Bike repair day').innerText()).toMatch(
      /^Bike repair day\s+Pending\s+Events\s+May 1, 2026 to May 2, 2026\s+Suggested \w+ \d+, \d{4}\s+Free tune-ups\s+Many ride with bad brakes\.$/,
    );
    expect(await card('Bike repair day').locator('svg').count()).toBe(1);
    expect(await tab('My Suggestions').evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('sees feedback, and what became of each, by status', async () => {
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
    await visit.sees('No suggestions with this status');
    await visit.press(button('All (3)'));
    await expect
      .poll(() => card('Book sale').innerText())
      .toMatch(/Approved.*Log hours for Book Fair\s+Active$/s);
    await visit.press(button('Log hours for Book Fair'));
    await visit.page.getByRole('heading', { level: 2, name: 'Book Fair' }).waitFor();
    await visit.sees('How long?');
  });
});

describe('a new suggestion', () => {
  beforeEach(async () => {
    await arrive();
    await openSuggestions();
    await visit.press(tab('New Suggestion'));
  });

  test('survives closing the window, until it is sent', async () => {
    await field('Activity name').fill('Half an idea');
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await visit.sees('Your suggestion is kept until you send it');
    await openSuggestions();
    expect(await field('Activity name').inputValue()).toBe('Half an idea');
    await visit.press(button('Start over'));
    expect(await field('Activity name').inputValue()).toBe('');
  });

  test('that is year-long has no dates, and an end needs a start', async () => {
    expect(await field('End date').isDisabled()).toBe(true);
    await field('Start date').fill('2026-05-02');
    await field('End date').fill('2026-05-01');
    expect(await field('End date').getAttribute('min')).toBe('2026-05-02');
    await field('Activity name').fill('Backwards');
    await visit.press(button('Submit suggestion'));
    await visit.sees('The end date cannot be before the start date');
    await field('Start date').fill('');
    expect(await field('End date').inputValue()).toBe('');
    await field('Start date').fill('2026-05-02');
    await dialog().getByRole('checkbox', { name: 'Year-long activity' }).check();
    expect(await field('Start date').count()).toBe(0);
    await dialog().getByRole('checkbox', { name: 'Year-long activity' }).uncheck();
    expect(await field('Start date').inputValue()).toBe('');
  });

  test('is asked about when there is something like it', async () => {
    await field('Activity name').fill('bok fairs');
    await visit.sees('Did you mean ...');
    await field('Activity name').fill('Bake sales');
    await visit.sees('Inactive');
    await field('Activity name').fill('Chess');
    await visit.misses('Did you mean ...');
    await field('Activity name').fill('Books fair');
    await visit.press(button('Book Fair'));
    await visit.sees('How long?');
  });

  test('ends at its limits, with counters from four fifths on', async () => {
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

  test.each([
    ['no answer', 'Network error. Please try again.'],
    [503, 'Request failed with status 503'],
    ['{}', 'HTTP 502'],
  ] as const)('that meets %s says so and keeps what was typed', async (how, sentence) => {
    await field('Activity name').fill('Not lucky');
    if (how === '{}') {
      visit.expectFailure('502 POST /api/activity-suggestions');
      await visit.page.route('**/api/activity-suggestions', (route) =>
        route.fulfill({ status: 502, json: {} }),
      );
    } else await visit.breakAt('POST /api/activity-suggestions', how);
    await visit.press(button('Submit suggestion'));
    await visit.sees(sentence);
    expect(await field('Activity name').inputValue()).toBe('Not lucky');
    await visit.mend();
    await visit.press(button('Submit suggestion'));
    await visit.sees('Activity suggestion submitted successfully! You can check its status anytime.');
    await card('Not lucky').waitFor();
  });
});

test('suggestions that can not be loaded say so, word for word', async () => {
  await arrive();
  await visit.breakAt('GET /api/my-activity-suggestions', 503);
  await openSuggestions();
  await visit.sees('Failed to load your suggestions');
  await visit.sees('Request failed with status 503');
  await visit.mend();
  await visit.press(button('Try again'));
  await visit.sees('You have not suggested an activity yet. What is missing at your school?');
});

test('without a pointer a suggestion is made', async () => {
  await arrive();
  await visit.page.getByRole('heading', { name: 'What did you help with?' }).waitFor();
  const press = (key: string) => visit.page.keyboard.press(key);
  await visit.button('Suggest Activity').focus();
  await press('Enter');
  await dialog().waitFor();
  await tab('My Suggestions').focus();
  await press('ArrowRight');
  await press('Tab');
  expect(await field('Activity name').evaluate((one) => one === document.activeElement)).toBe(true);
  await visit.page.keyboard.type('Keys only');
  await press('Enter');
  await visit.sees('Activity suggestion submitted successfully! You can check its status anytime.');
  await press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  expect(await visit.button('Suggest Activity').evaluate((one) => one === document.activeElement)).toBe(true);
});

test('mail about decisions is switched off under Settings, and stays so', async () => {
  await arrive();
  const settings = visit.page.getByRole('dialog', { name: 'Account Settings' });
  const box = settings.getByRole('checkbox', { name: 'Tell me when my activity suggestions are decided' });
  await visit.press(visit.button('Settings'));
  await box.waitFor();
  expect(await box.isChecked()).toBe(true);
  expect(await settings.getByText('Send me a list of waiting suggestions once a day').count()).toBe(0);
  await box.uncheck();
  await visit.sees('Email settings saved');
  await visit.page.reload();
  await visit.press(visit.button('Settings'));
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
});
