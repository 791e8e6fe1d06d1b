import { beforeAll, describe, expect, test } from 'vitest';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { transaction } from '#server/db/database.ts';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import {
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  NONE_VERIFIED,
  PASSWORD,
} from '../../builders.ts';
import { type District, open, openDistrict, type Visit } from '../browser.ts';

/** A message of the specification, and what a user does to see it. */
type Row = [sentence: string, act: () => Promise<unknown>];

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  fair = await anActivity(district, { school, name: 'Book fair' });
  await anActivity(district, { school, name: 'Field trip', descriptionPrompt: 'the class you were with' });
});

const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const today = () => dayIn('UTC', district.clock.now());

async function expectMessage([sentence, act]: Row) {
  await act();
  await visit.sees(sentence);
}

describe('the sign-in form', () => {
  beforeAll(async () => {
    visit = await open(district, { stays: true });
    await aPerson(district, { schools: [school], email: 'vera@maplegrove.example' });
  });

  const signIn = async (email: string, password: string) => {
    await field('Email').fill(email);
    await field('Password').fill(password);
    await visit.button('Sign in').click();
  };

  test.each<Row>([
    ['Email and password are required', () => signIn('', '')],
    ['Email and password are required', () => signIn('vera@maplegrove.example', '')],
    [
      'Invalid email or password',
      () => {
        visit.expectFailure('401 POST /api/auth/login');
        return signIn('vera@maplegrove.example', 'not her password');
      },
    ],
    [
      'Invalid email or password',
      () => {
        visit.expectFailure('401 POST /api/auth/login');
        return signIn('nobody@maplegrove.example', PASSWORD);
      },
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt('POST /api/auth/login', 'no answer');
        await signIn('vera@maplegrove.example', PASSWORD);
      },
    ],
    [
      'Login failed',
      async () => {
        await visit.breakAt('POST /api/auth/login', 503);
        await signIn('vera@maplegrove.example', PASSWORD);
      },
    ],
    [
      'Too many attempts. Please try again later.',
      async () => {
        visit.expectFailure('401 POST /api/auth/login');
        visit.expectFailure('429 POST /api/auth/login');
        for (let attempt = 0; attempt < 5; attempt += 1) {
          await signIn('guessed@maplegrove.example', `guess ${attempt}`);
          await visit.sees('Invalid email or password');
        }
        await signIn('guessed@maplegrove.example', 'guess 6');
      },
    ],
  ])('shows the specified message: %s', async (...row) => {
    await visit.page.goto('/');
    await expectMessage(row);
    expect(await visit.stored('token')).toBeNull();
  });

  test('shows the title, the district and the contact', async () => {
    await visit.page.getByRole('heading', { level: 1, name: 'Volunteer Time Tracker' }).waitFor();
    await visit.sees('Maple Grove Schools');
    const support = visit.page.getByRole('link', { name: 'help@maplegrove.example' });
    expect(await support.getAttribute('href')).toBe('mailto:help@maplegrove.example');
  });
});

describe('the registration form', () => {
  beforeAll(async () => {
    visit = await open(district, { stays: true });
    await aPerson(district, { schools: [school], email: 'taken@maplegrove.example' });
  });

  const register = async (given: { [label: string]: string } = {}, hasSchool = true) => {
    const values = {
      'First Name': 'Vera',
      'Last Name': 'Volt',
      Email: 'taken@maplegrove.example',
      Password: PASSWORD,
      'Confirm Password': given['Password'] ?? PASSWORD,
      ...given,
    };
    for (const [label, value] of Object.entries(values)) await field(label).fill(value);
    await visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }).setChecked(hasSchool);
    await visit.button('Create account').click();
  };

  test.each<Row>([
    ['Must be at least 6 characters', () => field('Password').focus()],
    ['First name and last name are required', () => register({ 'First Name': ' ' })],
    ['First name and last name are required', () => register({ 'Last Name': '' })],
    ['Email and password are required', () => register({ Email: '' })],
    ['Email and password are required', () => register({ Password: '' })],
    ['Please enter a valid email address', () => register({ Email: 'vera at home' })],
    ['Please select at least one school', () => register({}, false)],
    ['Password must be at least 6 characters long', () => register({ Password: 'five5' })],
    ['Passwords do not match', () => register({ 'Confirm Password': 'another one' })],
    [
      'This password is one of the most common ones. Please choose another.',
      () => {
        visit.expectFailure('400 POST /api/auth/register');
        return register({ Password: 'password1' });
      },
    ],
    [
      'An account with this email already exists',
      () => {
        visit.expectFailure('409 POST /api/auth/register');
        return register();
      },
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt('POST /api/auth/register', 'no answer');
        await register();
      },
    ],
    [
      'Registration failed',
      async () => {
        await visit.breakAt('POST /api/auth/register', 503);
        await register();
      },
    ],
  ])('shows the specified message: %s', async (...row) => {
    await visit.page.goto('/');
    await visit.button("Don't have an account? Create one").click();
    await expectMessage(row);
  });

  test('shows the specified messages while schools load, and if they fail to load', async () => {
    await visit.breakAt('GET /api/schools/public', 'no answer');
    await visit.page.goto('/');
    await visit.button("Don't have an account? Create one").click();
    await visit.sees('Loading schools...');
    await visit.sees('Failed to load schools. Please try again.');
    await visit.mend();
    await visit.button('Try again').click();
    await visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }).waitFor();
  });
});

test('switching between sign-in and registration clears messages, and the registration fields', async () => {
  visit = await open(district);
  visit.expectFailure('401 POST /api/auth/login');
  await field('Email').fill('vera@maplegrove.example');
  await field('Password').fill('wrong password');
  await visit.button('Sign in').click();
  await visit.sees('Invalid email or password');
  await visit.button("Don't have an account? Create one").click();
  await visit.misses('Invalid email or password');
  await field('First Name').fill('Vera');
  await field('Last Name').fill('Volt');
  await field('Confirm Password').fill('something');
  await visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }).check();
  await visit.button('Create account').click();
  await visit.sees('Passwords do not match');
  await visit.button('Already have an account? Sign in').click();
  await visit.misses('Passwords do not match');
  await visit.button("Don't have an account? Create one").click();
  for (const label of ['First Name', 'Last Name', 'Confirm Password']) {
    expect(await field(label).inputValue()).toBe('');
  }
  expect(await visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }).isChecked()).toBe(false);
  expect(await field('Email').inputValue()).toBe('vera@maplegrove.example');
});

describe('a reset link', () => {
  let person: Awaited<ReturnType<typeof aPerson>>;

  beforeAll(async () => {
    visit = await open(district, { stays: true });
    person = await aPerson(district, { schools: [school], firstName: 'Maria' });
  });

  const link = () =>
    transaction(district.deps.database, (trx) =>
      createPasswordLink(trx, person.id, district.clock.now(), 24),
    );
  const visitLink = async (token: string) => {
    await visit.page.goto(`/?token=${encodeURIComponent(token)}`);
  };
  const setPassword = async (password: string, again = password) => {
    await field('New Password').fill(password);
    await field('Confirm Password').fill(again);
    await visit.button('Set password').click();
  };
  const openLink = async () => {
    const token = await link();
    await visitLink(token);
    await visit.sees(`Hello Maria, choose a new password for ${person.email}.`);
    return token;
  };

  test.each<Row>([
    ['No reset token provided', () => visitLink('')],
    [
      'Invalid or expired reset token',
      () => {
        visit.expectFailure('400 GET /api/auth/verify-reset-token/made-up');
        return visitLink('made-up');
      },
    ],
    [
      'Failed to verify reset token. Please try again.',
      async () => {
        await visit.breakAt('GET /api/auth/verify-reset-token/made-up', 'no answer');
        await visitLink('made-up');
      },
    ],
    [
      'Checking your link...',
      async () => {
        const token = await link();
        await visit.holdAt('**/api/auth/verify-reset-token/*');
        await visitLink(token);
      },
    ],
    [
      'Password must be at least 6 characters long',
      async () => {
        await openLink();
        await setPassword('five5');
      },
    ],
    [
      'Passwords do not match',
      async () => {
        await openLink();
        await setPassword(PASSWORD, 'another one');
      },
    ],
    [
      'Invalid or expired reset token',
      async () => {
        await openLink();
        visit.expectFailure('400 POST /api/auth/reset-password');
        // A newer link invalidates the older one.
        await link();
        await setPassword(PASSWORD);
      },
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt('POST /api/auth/reset-password', 'no answer');
        await openLink();
        await setPassword(PASSWORD);
      },
    ],
    [
      'Failed to reset password',
      async () => {
        await visit.breakAt('POST /api/auth/reset-password', 503);
        await openLink();
        await setPassword(PASSWORD);
      },
    ],
    [
      'Your password has been set. You can sign in now.',
      async () => {
        await openLink();
        await setPassword('a-brand-new-lantern');
      },
    ],
  ])('shows the specified message: %s', async (...row) => {
    await expectMessage(row);
    expect(new URL(visit.page.url()).search).toBe('');
    await visit.button('Back to Sign In').click();
    await visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

describe('the form for a new entry', () => {
  beforeAll(async () => {
    const volunteer = await aPerson(district, { schools: [school] });
    visit = await open(district, { stays: true, as: volunteer });
  });

  const pick = (name: string) =>
    visit.page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  const choose = (choice: string) =>
    visit.page.getByRole('radio', { name: choice, exact: choice === 'Other' }).click();
  const log = () => visit.page.getByRole('button', { name: /^Log .*hours?$/ }).click();
  const otherHours = async (hours: string) => {
    await pick('Book fair');
    await choose('Other');
    await field('Hours').fill(hours);
    await log();
  };
  const onDay = async (date: string) => {
    await pick('Book fair');
    await choose('2 h');
    await choose('Other day');
    await field('Date').fill(date);
    await log();
  };

  test.each<Row>([
    [
      'Please select an activity and enter hours',
      async () => {
        await pick('Book fair');
        await log();
      },
    ],
    ['Please select an activity and enter hours', () => otherHours('')],
    ['Hours must be between 0.25 and 24', () => otherHours('0.2')],
    ['Hours must be between 0.25 and 24', () => otherHours('24.25')],
    ['Hours can have up to two decimals', () => otherHours('1.005')],
    ['Date cannot be in the future', () => onDay(addDays(today(), 1))],
    [
      'Please enter the class you were with for Field trip activities',
      async () => {
        await pick('Field trip');
        await choose('1 h');
        await log();
      },
    ],
    [
      'Please enter the class you were with for Field trip activities',
      async () => {
        await pick('Field trip');
        await choose('1 h');
        await field('The class you were with').fill('   ');
        await log();
      },
    ],
    [
      'Request failed',
      async () => {
        await visit.breakAt('POST /api/time-entries', 503);
        await pick('Book fair');
        await choose('1 h');
        await log();
      },
    ],
    [
      "You can't log hours for Paper drive right now. Please pick another activity.",
      async () => {
        visit.expectFailure('400 POST /api/time-entries');
        const drive = await anActivity(district, { school, name: 'Paper drive' });
        await visit.page.reload();
        await visit.page.getByRole('button', { name: /^Year-Round/ }).waitFor();
        await pick('Paper drive');
        await choose('1 h');
        await deactivate(drive);
        await log();
      },
    ],
    ['1.75h logged for Book fair today!', () => otherHours('1.75')],
  ])('shows the specified message: %s', async (...row) => {
    await visit.page.goto('/');
    await visit.page.getByRole('button', { name: /^Year-Round/ }).waitFor();
    await expectMessage(row);
  });

  test('confirms hours of another day with the specified message', async () => {
    await visit.page.goto('/');
    await onDay('2026-03-01');
    // A school that verifies hours asks about a day that long ago.
    if (NONE_VERIFIED !== '') await visit.press(visit.button('Log 2 hours'));
    await visit.sees('2h logged for Book fair on Mar 1, 2026');
  });

  test('limits notes to 500 characters', async () => {
    await visit.page.goto('/');
    await pick('Book fair');
    await visit.button('Add a note').click();
    await field('Notes').fill('n'.repeat(500));
    await visit.page.keyboard.press('End');
    await visit.page.keyboard.type('more');
    expect(await field('Notes').inputValue()).toHaveLength(500);
  });
});

describe('editing and deleting an entry', () => {
  let volunteer: Awaited<ReturnType<typeof aPerson>>;

  beforeAll(async () => {
    volunteer = await aPerson(district, { schools: [school] });
    visit = await open(district, { stays: true, as: volunteer });
  });

  const edit = async () => {
    await visit.page.getByRole('button', { name: /^Edit Book fair/ }).click();
    await visit.page.getByRole('dialog').waitFor();
  };
  const save = () => visit.button('Save changes').click();
  const remove = async () => {
    await visit.page.getByRole('button', { name: /^Delete Book fair/ }).click();
    await visit.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  };
  const saveHours = async (hours: string) => {
    await edit();
    await field('Hours').fill(hours);
    await save();
  };
  const goesElsewhere = () => district.call(`DELETE /api/time-entries/${entry}`, { token: volunteer.token });
  let entry: number;

  test.each<Row>([
    ['Please fill in all required fields', () => saveHours('')],
    ['Hours must be between 0.25 and 24', () => saveHours('25')],
    [
      'Date cannot be in the future',
      async () => {
        await edit();
        await field('Date').fill(addDays(today(), 1));
        await save();
      },
    ],
    [
      'Please enter the class you were with for Field trip activities',
      async () => {
        await edit();
        await field('Activity').selectOption({ label: 'Field trip' });
        await save();
      },
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt(`PUT /api/time-entries/${entry}`, 'no answer');
        await saveHours('3');
      },
    ],
    [
      'Request failed',
      async () => {
        await visit.breakAt(`PUT /api/time-entries/${entry}`, 503);
        await saveHours('3');
      },
    ],
    [
      'Time entry not found',
      async () => {
        visit.expectFailure(`404 PUT /api/time-entries/${entry}`);
        await edit();
        await goesElsewhere();
        await save();
      },
    ],
    ['Time entry updated successfully', () => saveHours('3')],
    ['Time entry deleted successfully', remove],
    [
      'Are you sure you want to delete this time entry?',
      () => visit.page.getByRole('button', { name: /^Delete Book fair/ }).click(),
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt(`DELETE /api/time-entries/${entry}`, 'no answer');
        await remove();
      },
    ],
    [
      'Request failed',
      async () => {
        await visit.breakAt(`DELETE /api/time-entries/${entry}`, 503);
        await remove();
      },
    ],
    [
      'This entry was deleted too long ago to restore',
      async () => {
        visit.expectFailure(`409 POST /api/time-entries/${entry}/restore`);
        await remove();
        await visit.sees('Deleted.');
        district.clock.advance(11 * 60_000);
        await visit.page.getByRole('button', { name: /^Undo: restore/ }).click();
      },
    ],
  ])('shows the specified message: %s', async (...row) => {
    await district.deps.database.db.deleteFrom('time_entries').where('user_id', '=', volunteer.id).execute();
    entry = (await anEntry(district, { by: volunteer, activity: fair, date: today() })).id;
    await visit.page.goto('/');
    await visit.page.getByRole('tab', { name: 'Recent Activity' }).click();
    await visit.page.getByRole('button', { name: /^Edit Book fair/ }).waitFor();
    await expectMessage(row);
  });
});

describe('a list that fails to load', () => {
  beforeAll(async () => {
    const volunteer = await aPerson(district, { schools: [school] });
    await anEntry(district, { by: volunteer, activity: fair, date: today() });
    visit = await open(district, { stays: true, as: volunteer });
  });

  test.each([
    ['Failed to load activities', 'GET /api/activities', 'What did you help with?'],
    ['Failed to load most active tasks', 'GET /api/time-entries/most-active', 'hour this school year'],
    ['Failed to load recent entries', 'GET /api/time-entries', `Today · 1 h${NONE_VERIFIED}`],
  ])('offers Try again and shows the specified message: %s', async (sentence, request, afterwards) => {
    await visit.breakAt(request, 'no answer');
    // A component that loads after the screen sends the same request again. After that, only the button does.
    const stands = visit.page.waitForResponse('**/api/profile/thanks');
    await visit.page.goto('/');
    await stands;
    if (request === 'GET /api/time-entries') {
      await visit.page.getByRole('tab', { name: 'Recent Activity' }).click();
    }
    await visit.sees(sentence);
    await visit.sees('Network error. Please try again.');
    await visit.mend();
    await visit.button('Try again').click();
    await visit.sees(afterwards);
    await visit.misses(sentence);
  });

  test('offers Try again and shows: Failed to load schools. Please refresh the page.', async () => {
    const administrator = await anAdministrator(district);
    const other = await open(district, {
      as: administrator,
      before: (page) => page.route('**/api/schools/public', (route) => route.abort('connectionrefused')),
    });
    other.expectFailure('no answer GET /api/schools/public');
    await other.sees('Loading schools...');
    await other.sees('Failed to load schools. Please refresh the page.');
    await other.mend();
    await other.button('Try again').click();
    await other.page.getByRole('heading', { name: 'What did you help with?' }).waitFor();
  });
});

async function deactivate(activity: { id: number }) {
  const administrator = await anAdministrator(district);
  const reply = await district.call(`PUT /api/admin/activities/${activity.id}`, {
    token: administrator.token,
    body: { isActive: false },
  });
  expect(reply.status).toBe(200);
}
