import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { anAdministrator, aPerson, aSchool } from '../../builders.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE, type Visit } from '../browser.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { opened, tabTo } from '../keyboard.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: { id: number; name: string };
let visit: Visit;

const keys = (...pressed: string[]) =>
  pressed.reduce((before, key) => before.then(() => visit.page.keyboard.press(key)), Promise.resolve());
const type = (text: string) => visit.page.keyboard.type(text);
const goTo = (target: Locator, key?: string) => tabTo(visit.page, target, key);
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const part = (name: RegExp) =>
  visit.page.getByRole('navigation', { name: words.users.sections }).getByRole('button', { name });
const row = (name: string) => visit.page.getByRole('listitem').filter({ hasText: name });

async function press(target: Locator, key?: string) {
  await goTo(target, key);
  await keys('Enter');
}

/** Opens the Users tab of a new district. */
async function openUsers(look: Look, settings: Record<string, string> = {}) {
  district = await openDistrict({ REGISTRATION: 'approval', ...settings });
  const ada = await anAdministrator(district);
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  const { db } = district.deps.database;
  for (const [firstName, lastName, isProven] of [
    ['Maria', 'Ruiz', true],
    ['Ben', 'Okafor', false],
  ] as const) {
    const person = await aPerson(district, { firstName, lastName, isProven });
    const at = district.clock.now();
    await db
      .insertInto('user_schools')
      .values({ user_id: person.id, school_id: school.id, status: 'pending', created_at: at })
      .execute();
    await db
      .insertInto('deletion_requests')
      .values({ user_id: person.id, reason: `${firstName} moved away`, requested_at: at })
      .execute();
  }
  visit = await open(district, { look, as: ada });
  await visit.sees(words.activities.heading).catch(() => undefined);
  await keys('g', 'a');
  await visit.page.getByRole('heading', { name: words.users.title, exact: true }).waitFor();
}

describe('account deletion requests, by keyboard on a desktop', () => {
  beforeEach(() => openUsers(DESKTOP));

  test('are carried out after a warning, or declined with a reason', async () => {
    await press(part(/^Account deletions ?2$/));
    await visit.sees('Maria moved away');
    await expectAccessible(visit.page);
    await press(visit.page.getByRole('button', { name: 'Delete permanently: Maria Ruiz' }));
    const warning = await opened(visit.page, 'alertdialog', 'Permanently delete Maria Ruiz?');
    await press(warning.getByRole('button', { name: words.privacy.erase }));
    await warning.getByText(words.privacy.eraseTickFirst).waitFor();
    await goTo(warning.getByRole('checkbox'), 'Shift+Tab');
    await keys('Space');
    await expectAccessible(visit.page);
    await press(warning.getByRole('button', { name: words.privacy.erase }));
    await visit.sees(words.privacy.erased);

    await press(visit.page.getByRole('button', { name: 'Decline the request from Ben Okafor' }));
    const form = await opened(visit.page, 'dialog', 'Decline account deletion');
    await goTo(form.getByLabel(words.privacy.eraseReason));
    await type('Please write to us');
    await expectAccessible(visit.page);
    await press(form.getByRole('button', { name: words.users.declineTitle }));
    await visit.sees('The request from Ben Okafor was declined');
    await visit.sees(words.privacy.noErasures);
  });
});

test('a request that another administrator has decided disappears with a notice', async () => {
  await openUsers(PHONE);
  await press(part(/^Requests/));
  await row('Maria Ruiz').waitFor();
  await district.deps.database.db.deleteFrom('user_schools').execute();
  visit.expectFailure(/^409 POST/);
  await press(visit.page.getByRole('button', { name: 'Approve Maria Ruiz, Lincoln Elementary' }));
  await visit.sees(words.users.membershipDecided);
  await visit.sees(words.users.noRequests);
});

test('an account without a deletion request is deleted from its form, without its hours', async () => {
  await openUsers(PHONE);
  await visit.press(visit.button('Maria Ruiz'));
  await visit.press(visit.button(words.users.eraseKeepHours));
  const warning = await opened(visit.page, 'alertdialog', 'Permanently delete Maria Ruiz?');
  await visit.press(warning.getByRole('checkbox'));
  await visit.press(warning.getByRole('button', { name: words.privacy.erase }));
  await visit.sees(words.privacy.erased);
  await visit.button('Maria Ruiz').waitFor({ state: 'hidden' });
});

test('a list in Windows encoding is uploaded with its accents', async () => {
  await openUsers(PHONE);
  await visit.press(part(/^Import$/));
  await visit.page.locator('input[type=file]').setInputFiles({
    name: 'volunteers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('firstName,lastName,email\r\nZoë,Ünal,zoe@maplegrove.example\r\n', 'latin1'),
  });
  await visit.sees('volunteers.csv, 2 lines');
  await field(words.people.defaultSchool).selectOption('Lincoln Elementary');
  await visit.press(visit.button(words.people.check));
  await visit.sees('New: Lincoln Elementary');
  await visit.sees('Zoë Ünal');
  const download = visit.page.waitForEvent('download');
  await visit.press(visit.button(words.people.back));
  await visit.press(visit.button(words.people.template));
  expect((await download).suggestedFilename()).toBe('users-template.csv');
});

test('approving an unconfirmed address asks first if there is a mail server', async () => {
  await openUsers(DESKTOP, { SMTP_URL: 'smtp://127.0.0.1:9' });
  await press(part(/^Requests ?2$/));
  await row('Ben Okafor').getByText(words.users.addressNotConfirmed).waitFor();
  await press(visit.page.getByRole('button', { name: 'Approve Ben Okafor, Lincoln Elementary' }));
  const unconfirmed = await opened(visit.page, 'alertdialog', 'Email not confirmed yet');
  await expectAccessible(visit.page);
  await press(unconfirmed.getByRole('button', { name: words.users.approveAnyway }));
  await visit.sees('Ben Okafor can now see Lincoln Elementary');
});

test('approving an unconfirmed address does not ask without a mail server', async () => {
  await openUsers(DESKTOP);
  await press(part(/^Requests ?2$/));
  await press(visit.page.getByRole('button', { name: 'Approve Ben Okafor, Lincoln Elementary' }));
  await visit.sees('Ben Okafor can now see Lincoln Elementary');
});

test.each<Look>([DESKTOP, PHONE])(
  'without a mail server, the administrator gets password links to pass on, on a $device',
  async (look) => {
    await openUsers(look);
    await visit.press(visit.button(words.users.add));
    await visit.sees(words.users.passwordBlankNoMail);
    await field(words.users.firstName).fill('Zoë');
    await field(words.users.lastName).fill('Ünal');
    await field(words.users.email).fill('zoe@maplegrove.example');
    await visit.press(visit.page.getByRole('dialog').getByRole('checkbox', { name: 'Lincoln Elementary' }));
    await visit.press(visit.button(words.users.create));
    const made = await opened(visit.page, 'dialog', 'The account is ready');
    const link = await made.getByRole('textbox', { name: 'Link for zoe@maplegrove.example' }).inputValue();
    expect(link).toMatch(/\?token=[\w-]{43}$/);
    await made.getByText(words.users.onlyHere).waitFor();
    await expectAccessible(visit.page);
    await visit.press(made.getByRole('button', { name: words.web.close }));
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });

    await visit.press(visit.button(/Zoë Ünal/));
    const panel = await opened(visit.page, 'dialog', 'Edit user');
    await panel.getByText(words.users.neverSignedIn).waitFor();
    await panel.getByText(words.users.passwordBlankNone).waitFor();
    await field(words.users.lastName).fill('Unal');
    await visit.press(panel.getByRole('button', { name: words.users.newLink }));
    const renewed = await opened(visit.page, 'dialog', 'The account is ready');
    const second = await renewed
      .getByRole('textbox', { name: 'Link for zoe@maplegrove.example' })
      .inputValue();
    expect(second).not.toBe(link);
    await visit.press(renewed.getByRole('button', { name: words.web.close }));
    expect(await field(words.users.lastName).inputValue()).toBe('Unal');
    await visit.press(visit.button(words.web.save));
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });

    await visit.press(part(/^Import$/));
    await field(words.people.paste).fill(
      [
        'First Name;Last Name;E-Mail;Schools',
        'Kim;Lee;kim@maplegrove.example;Lincoln Elementary',
        'Uma;Rao;uma@maplegrove.example;Lincoln Elementary',
      ].join('\n'),
    );
    await visit.press(visit.button(words.people.check));
    await visit.press(visit.page.getByRole('checkbox', { name: /^Email each new person/ }));
    await visit.press(visit.button('Import 2 people'));
    const imported = await opened(visit.page, 'dialog', 'The links are ready');
    expect(await imported.getByRole('textbox', { name: words.people.linksLabel }).inputValue()).toMatch(
      /^kim@maplegrove\.example\thttp\S+\?token=[\w-]{43}\numa@maplegrove\.example\thttp\S+$/,
    );
    await expectAccessible(visit.page);
  },
);
