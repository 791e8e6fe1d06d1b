import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  testOnDesktop,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { hasFocus, opened, tabTo } from './keyboard.ts';
import { words } from './spoken-language.ts';

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

describe.each(looks(DESKTOP))('the Users tab without a pointer, on a $device', (look) => {
  beforeEach(() => openUsers(look));

  test('shows the number of requests, approves one, and asks before declining another', async () => {
    await press(part(/^Requests ?2$/));
    await visit.sees(words.users.modeApproval);
    await expectAccessible(visit.page);
    await press(visit.page.getByRole('button', { name: 'Approve Maria Ruiz, Lincoln Elementary' }));
    await visit.sees('Maria Ruiz can now see Lincoln Elementary');
    await row('Maria Ruiz').waitFor({ state: 'hidden' });
    await expect
      .poll(() => hasFocus(visit.page.getByRole('heading', { name: words.users.sectionRequests })))
      .toBe(true);

    await row('Ben Okafor').getByText(words.users.addressNotAsked).waitFor();
    await press(visit.page.getByRole('button', { name: 'Decline Ben Okafor, Lincoln Elementary' }));
    const question = await opened(visit.page, 'alertdialog', 'Decline request');
    await question.getByText("They won't get an email").waitFor();
    await inFull(() => expectAccessible(visit.page));
    await press(question.getByRole('button', { name: words.users.decline }));
    await visit.sees('The request from Ben Okafor to join Lincoln Elementary was declined');
    await visit.sees(words.users.noRequests);
    await part(/^Requests$/).waitFor();
  });

  testOnDesktop(look, 'sends, resends and withdraws an invitation', async () => {
    await press(part(/^Invitations$/));
    await visit.sees(words.users.noInvites);
    await press(visit.button(words.users.inviteAdd));
    const panel = await opened(visit.page, 'dialog', 'Invite by email');
    await expect
      .poll(() => hasFocus(field(words.users.email)).catch(() => false))
      .toBe(look.device === 'desktop');
    await keys('Enter');
    if (look.device === 'phone') await press(panel.getByRole('button', { name: words.users.inviteSend }));
    await panel.getByText(words.users.emailRequired).first().waitFor();
    await expect.poll(() => hasFocus(field(words.users.email))).toBe(true);
    await type('new@maplegrove.example');
    await goTo(panel.getByRole('checkbox', { name: 'Lincoln Elementary' }));
    await keys('Space');
    await inFull(() => expectAccessible(visit.page));
    await press(panel.getByRole('button', { name: words.users.inviteSend }));
    const readyOne = await opened(visit.page, 'dialog', 'Invitation');
    expect(
      await readyOne.getByRole('textbox', { name: 'Link for new@maplegrove.example' }).inputValue(),
    ).toMatch(/\?invite=[\w-]{43}$/);
    await inFull(() => expectAccessible(visit.page));
    await press(readyOne.getByRole('button', { name: words.web.close }));
    await visit.sees(words.users.lettersInFolder);
    await part(/^Invitations ?1$/).waitFor();
    await inFull(() => expectAccessible(visit.page));

    await press(visit.page.getByRole('button', { name: 'Send again to new@maplegrove.example' }));
    const again = await opened(visit.page, 'dialog', 'Invitation');
    await again
      .getByText(/^The invitation for new@maplegrove.example is ready, but email isn.t set up/)
      .waitFor();
    await press(again.getByRole('button', { name: words.web.close }));
    await press(
      visit.page.getByRole('button', { name: 'Withdraw the invitation to new@maplegrove.example' }),
    );
    const question = await opened(visit.page, 'alertdialog', 'Withdraw invitation');
    await inFull(() => expectAccessible(visit.page));
    await press(question.getByRole('button', { name: words.users.inviteWithdraw }));
    await visit.sees(words.users.inviteRevoked);
    await visit.sees(words.users.noInvites);
  });

  test('previews, imports and undoes a pasted list', async () => {
    await press(part(/^Import$/));
    await press(visit.button(words.people.check));
    await visit.sees(words.people.fileRequired);
    await goTo(field(words.people.paste), 'Shift+Tab');
    await visit.page.keyboard.insertText(
      [
        'First Name;Last Name;E-Mail;Schools;Phone',
        'Zoë;Nguyen;zoe@maplegrove.example;Lincoln Elementary;1',
        'Max;Hall;max@maplegrove.example;lincoln elementary;2',
        'Kim;Lee;nonsense;Hogwarts;3',
      ].join('\n'),
    );
    await inFull(() => expectAccessible(visit.page));
    await press(visit.button(words.people.check));
    await expect
      .poll(() => hasFocus(visit.page.getByRole('heading', { name: words.people.previewTitle })))
      .toBe(true);
    await visit.sees('Email: Please enter a valid email address');
    await visit.sees('Schools: There is no school called “Hogwarts”');
    await visit.sees("Columns that won't be used: Phone");
    await inFull(() => expectAccessible(visit.page));
    visit.expectFailure('400 POST /api/admin/user-imports');
    await press(visit.button('Import 2 people'));
    await visit.sees('1 row has a problem. Fix it or skip it.');
    await goTo(field(words.people.leaveOut_one), 'Shift+Tab');
    await keys('Space');
    await press(visit.button('Import 2 people'));
    await visit.sees('Imported: 2 new people');
    await expect
      .poll(() => hasFocus(visit.page.getByRole('heading', { name: words.people.title })))
      .toBe(true);

    const zoe = await district.deps.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'zoe@maplegrove.example')
      .executeTakeFirstOrThrow();
    await anEntry(district, { by: zoe, activity: await anActivity(district, { school }) });
    await press(visit.page.getByRole('button', { name: /^Undo the import from/ }));
    const question = await opened(visit.page, 'alertdialog', 'Undo import');
    await inFull(() => expectAccessible(visit.page));
    await press(question.getByRole('button', { name: words.people.undo }));
    const kept = await opened(visit.page, 'dialog', "One wasn't changed");
    await kept.getByText('Zoë Nguyen: has logged hours or added something').waitFor();
    await inFull(() => expectAccessible(visit.page));
    await keys('Escape');
    await visit.page
      .getByText(/^Undone /)
      .first()
      .waitFor();
  });
});

describe.runIf(IS_FULL)('account deletion requests, by keyboard on a desktop', () => {
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

fullTest('a request that another administrator has already decided disappears with a notice', async () => {
  await openUsers(PHONE);
  await press(part(/^Requests/));
  await row('Maria Ruiz').waitFor();
  await district.deps.database.db.deleteFrom('user_schools').execute();
  visit.expectFailure(/^409 POST/);
  await press(visit.page.getByRole('button', { name: 'Approve Maria Ruiz, Lincoln Elementary' }));
  await visit.sees(words.users.membershipDecided);
  await visit.sees(words.users.noRequests);
});

fullTest('an account is permanently deleted from its user form', async () => {
  await openUsers(PHONE);
  await visit.press(visit.button('Maria Ruiz'));
  await visit.press(visit.button(words.users.eraseKeepHours));
  const warning = await opened(visit.page, 'alertdialog', 'Permanently delete Maria Ruiz?');
  await visit.press(warning.getByRole('checkbox'));
  await visit.press(warning.getByRole('button', { name: words.privacy.erase }));
  await visit.sees(words.privacy.erased);
  await visit.button('Maria Ruiz').waitFor({ state: 'hidden' });
});

fullTest('a list of people in Windows encoding keeps its accents when uploaded', async () => {
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
  await visit.sees('New, added to Lincoln Elementary');
  await visit.sees('Zoë Ünal');
  const download = visit.page.waitForEvent('download');
  await visit.press(visit.button(words.people.back));
  await visit.press(visit.button(words.people.template));
  expect((await download).suggestedFilename()).toBe('users-template.csv');
});

fullTest('approving a user with an unconfirmed address asks first if there is a mail server', async () => {
  await openUsers(DESKTOP, { SMTP_URL: 'smtp://127.0.0.1:9' });
  await press(part(/^Requests ?2$/));
  await row('Ben Okafor').getByText(words.users.addressNotConfirmed).waitFor();
  await press(visit.page.getByRole('button', { name: 'Approve Ben Okafor, Lincoln Elementary' }));
  const unconfirmed = await opened(visit.page, 'alertdialog', 'Email not confirmed yet');
  await expectAccessible(visit.page);
  await press(unconfirmed.getByRole('button', { name: words.users.approveAnyway }));
  await visit.sees('Ben Okafor can now see Lincoln Elementary');
});

fullTest('approving a user with an unconfirmed address does not ask without a mail server', async () => {
  await openUsers(DESKTOP);
  await press(part(/^Requests ?2$/));
  await press(visit.page.getByRole('button', { name: 'Approve Ben Okafor, Lincoln Elementary' }));
  await visit.sees('Ben Okafor can now see Lincoln Elementary');
});

fullTest.each<Look>([DESKTOP, PHONE])(
  'on a $device without a mail server, the administrator gets password links to pass on',
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
