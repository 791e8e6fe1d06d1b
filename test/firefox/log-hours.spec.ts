import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadMessages } from '#server/i18n/translator.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { findFirefox } from '../../scripts/programs.mjs';
import { aCategory, anActivity, anAddress, anAdministrator, aSchool, PASSWORD } from '../builders.ts';
import { type District, openDistrict } from '../e2e/browser.ts';
import { words } from '../e2e/spoken-language.ts';
import { drawn } from '../images/draw-image.ts';
import { type Session, startFirefox } from './bidi.ts';
import { type FirefoxVisit, visitWith } from './firefox-visit.ts';

const program = findFirefox();
if (program === undefined) console.log('Skipped: there is no Firefox on this machine (Debian: firefox-esr).');

const spanish = loadMessages('es') as typeof words;
const folder = mkdtempSync(join(tmpdir(), 'firefox-files-'));
const DARK = 'rgb(17, 21, 19)';

let district: District;
let session: Session;
let visit: FirefoxVisit;
let steps = 0;

// Errors in the browser's console during a step fail that step.
async function step(name: string, walk: () => Promise<unknown>): Promise<void> {
  await walk().catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  expect([name, visit.faults()]).toEqual([name, []]);
  steps += 1;
}

async function start(preferences: Record<string, string | number>) {
  session = await startFirefox(program ?? '', { 'browser.download.dir': folder, ...preferences });
  visit = await visitWith(session, district.origin);
  await visit.size(1280, 900);
  return () => session.end();
}

async function signIn(email: string, texts = words) {
  await visit.go('/');
  await visit.fill(texts.users.email, email);
  await visit.fill(texts.users.password, PASSWORD);
  await visit.press('button', texts.auth.signIn);
}

async function aPicture(name: string, width: number): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, await drawn(width, 300).jpeg().toBuffer());
  return path;
}

describe.skipIf(program === undefined)('Firefox', () => {
  const email = anAddress();

  beforeAll(async () => {
    district = await openDistrict();
    const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
    await aSchool(district, { name: 'Cedar Middle' });
    const events = await aCategory(district, { school: lincoln, name: 'Events', color: '#b23a48' });
    const today = dayIn('UTC', district.clock.now());
    await anActivity(district, { school: lincoln, category: events, name: 'Book fair', activeFrom: today });
    await anActivity(district, { school: lincoln, name: 'Garden club' });
  });

  describe('in light colors and English', () => {
    let end: () => Promise<void>;
    beforeAll(async () => {
      end = await start({ 'ui.systemUsesDarkTheme': 0, 'intl.accept_languages': 'en-US,en' });
      console.log(`Firefox ${session.version}`);
    });
    afterAll(() => end());

    test('a volunteer registers, logs in three taps, edits, deletes and undoes', async () => {
      await step('register', () => register(email));
      await step('three presses', logTwoHours);
      await step('undo', async () => {
        await visit.press('button', 'Undo: 2 h for Book fair');
        await visit.sees('Removed: 2 h for Book fair');
      });
      await step('log by keyboard', logByKeyboard);
      await step('edit', editEntry);
      await step('delete and undo', deleteAndUndo);
      await step('reload', async () => {
        await visit.reload();
        await visit.sees('Today · 2.5 h');
      });
    });

    test('a volunteer uploads photos and views them', async () => {
      await step('upload', upload);
      await step('viewer', async () => {
        await visit.press('button', /^Open /);
        await visit.has({ role: 'dialog', name: words.photos.viewer });
        await visit.sees('1 / 2');
        await visit.keys('ArrowRight');
        await visit.sees('2 / 2');
        await visit.keys('Escape');
        await visit.has({ role: 'button', name: words.photos.choose });
      });
    });

    test('a volunteer suggests an activity, and changes the settings and the language', async () => {
      await step('suggestion', async () => {
        await visit.press('button', words.web.suggestActivity);
        await visit.press('button', words.suggestions.new);
        await visit.fill(words.suggestions.name, 'Bike repair day');
        await visit.press('button', words.suggestions.submit);
        await visit.sees('Bike repair day');
        await visit.keys('Escape');
      });
      await step('settings', changeName);
      await step('dark chosen', chooseDark);
      await step('Spanish chosen', async () => {
        await visit.choose(words.users.language, 'Español');
        await visit.press('button', words.users.languageSave);
        await visit.has({ role: 'tab', name: spanish.web.recentActivity });
        expect(await visit.run('() => document.documentElement.lang')).toBe('es');
      });
      await step('sign out', async () => {
        await visit.press('button', spanish.auth.logout);
        await visit.has({ role: 'button', name: spanish.auth.signIn });
      });
    });
  });

  describe('in dark colors', () => {
    let end: () => Promise<void>;
    beforeAll(async () => {
      end = await start({ 'ui.systemUsesDarkTheme': 1, 'intl.accept_languages': 'es-US,es' });
    });
    afterAll(() => end());

    test("the app is in Spanish if the browser prefers it, and follows the device's dark theme", async () => {
      await step('Spanish and dark at sign-in', async () => {
        await visit.go('/');
        await visit.sees(spanish.auth.toForgot);
        expect(await visit.run('() => getComputedStyle(document.documentElement).backgroundColor')).toBe(
          DARK,
        );
      });
      await step('Spanish sign-in', async () => {
        await signIn(email, spanish);
        await visit.sees(spanish.activities.heading);
      });
      await step('Spanish entries', async () => {
        await visit.press('tab', spanish.web.recentActivity);
        await visit.sees('2.5 h');
      });
    });

    test('an administrator adds a school and an activity, and exports the entries', async () => {
      const ada = await anAdministrator(district);
      await visit.press('button', spanish.auth.logout);
      await visit.has({ role: 'button', name: spanish.auth.signIn });
      await step('administrator', async () => {
        await signIn(ada.email, spanish);
        await visit.press('button', spanish.web.admin);
        await visit.has({ role: 'heading', name: spanish.web.adminTitle });
      });
      await step('school', addSchool);
      await step('activity', addActivity);
      await step('entries and export', exportEntries);
    });
  });

  test('the check after each step reports page errors and policy violations', async () => {
    const end = await start({});
    await visit.go('/');
    await visit.run(`() => {
      console.error('a mistake');
      document.head.append(Object.assign(document.createElement('style'), { textContent: 'p { color: red }' }));
    }`);
    await visit.until(
      'both',
      async () => visit.faults().some((one) => /policy: style-src/.test(one)) || undefined,
    );
    expect(visit.faults().join()).toMatch(/a mistake/);
    await end();
  });

  afterAll(() =>
    console.log(`${steps} steps in Firefox, each without an error of the page or of its policy`),
  );
});

async function register(email: string) {
  await visit.go('/');
  await visit.press('button', words.users.toRegister);
  await visit.fill(words.users.firstName, 'Vera');
  await visit.fill(words.users.lastName, 'Volt');
  await visit.fill(words.users.email, email);
  await visit.fill(words.users.password, PASSWORD);
  await visit.fill(words.users.confirmPassword, PASSWORD);
  await visit.press('checkbox', 'Lincoln Elementary');
  await visit.press('button', words.users.register);
  await visit.sees('Welcome, Vera! Your account is ready.');
}

async function logTwoHours() {
  await visit.press('button', /^Book fair/);
  await visit.press('radio', /^2 h/);
  await visit.press('button', 'Log 2 hours');
  await visit.sees('2h logged for Book fair today!');
}

async function logByKeyboard() {
  await visit.keys('/');
  await visit.until('the focus in the search', async () => {
    const focused = await visit.run<string>('() => document.activeElement.getAttribute("type")');
    return focused === 'search' || undefined;
  });
  await visit.type('book');
  await visit.keys('Tab');
  await visit.has({ role: 'button', name: /^Book fair/ });
  await focusOn(/^Book fair/);
  await visit.keys('Enter');
  await visit.has({ role: 'radio', name: /^2 h/ });
  await visit.keys('ArrowRight', 'ArrowRight', 'ArrowRight');
  await visit.has({ role: 'button', name: 'Log 2 hours' });
  await visit.keys('Enter');
  await visit.sees('2h logged for Book fair today!');
}

async function focusOn(name: RegExp) {
  for (let presses = 0; presses < 40; presses += 1) {
    if (name.test(await visit.run<string>('() => document.activeElement.innerText ?? ""'))) return;
    await visit.keys('Tab');
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function editEntry() {
  await visit.press('tab', words.web.recentActivity);
  await visit.press('button', /^Edit Book fair, 2 h/);
  await visit.press('button', words.web.more);
  await visit.press('button', words.web.more);
  await visit.fill(words['time-entries'].notes, 'Sold 12 books & a map');
  await visit.press('button', words.web.save);
  await visit.sees('Today · 2.5 h');
  await visit.sees('Sold 12 books & a map');
}

async function deleteAndUndo() {
  await visit.press('button', /^Delete Book fair, 2.5 h/);
  await visit.has({ role: 'alertdialog', name: words['time-entries'].deleteTitle });
  await visit.press('button', words['time-entries'].deleteAction);
  await visit.sees('Today · 0 h');
  await visit.press('button', /^Undo: restore Book fair/);
  await visit.sees('Today · 2.5 h');
}

async function upload() {
  await visit.press('tab', words.web.managePhotos);
  await visit.press('button', /^Book fair/);
  await visit.has({ role: 'button', name: words.photos.choose });
  await visit.attach('input[type="file"][multiple]', [
    await aPicture('a.jpg', 400),
    await aPicture('b.jpg', 500),
  ]);
  await visit.press('button', 'Upload 2 photos');
  await visit.sees('2 photos uploaded successfully');
  await visit.until('two pictures', async () => {
    const drawnPictures =
      '() => [...document.querySelectorAll("[data-photo] img")].filter((one) => one.naturalWidth).length';
    return (await visit.run<number>(drawnPictures)) === 2 || undefined;
  });
}

async function changeName() {
  await visit.press('button', words.users.settings);
  await visit.has({ role: 'dialog', name: words.users.settingsTitle });
  await visit.fill(words.users.lastName, 'Voltaire');
  await visit.press('button', words.users.profileSave);
  await visit.sees('Profile updated successfully');
}

async function chooseDark() {
  // The profile was saved, so the page reloads after a second.
  await visit.until(
    'the page again',
    async () =>
      (await visit.run<boolean>(
        '() => performance.now() < 15000 && document.querySelector("[role=dialog]") === null',
      )) || undefined,
  );
  await visit.press('button', words.users.settings);
  await visit.press('radio', words.web.themeDark);
  await visit.until('the dark theme', async () => {
    const background = '() => getComputedStyle(document.documentElement).backgroundColor';
    return (await visit.run(background)) === DARK || undefined;
  });
}

async function addSchool() {
  await visit.press('tab', spanish.schools.title);
  await visit.press('button', spanish.schools.add);
  await visit.fill(spanish.schools.name, 'Maple School');
  await visit.press('button', spanish.schools.create);
  await visit.sees(spanish.schools.created);
}

async function addActivity() {
  await visit.press('tab', spanish.activities.title);
  await visit.choose(spanish.schools.filter, 'Lincoln Elementary');
  await visit.press('button', spanish.activities.add);
  await visit.fill(spanish.activities.name, 'Science night');
  await visit.choose(spanish.activities.category, 'Events');
  await visit.press('button', spanish.activities.create);
  await visit.sees(spanish.activities.created);
}

async function exportEntries() {
  await visit.press('tab', spanish['time-entries'].title);
  await visit.sees('Sold 12 books & a map');
  await visit.press('button', spanish['time-entries'].export);
  await visit.press('menuitem', spanish['time-entries'].exportCsv);
  await visit.until('the file', async () =>
    existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.csv')) ? true : undefined,
  );
}
