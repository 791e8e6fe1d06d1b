import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadMessages } from '#server/i18n/translator.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { atEnd, runningClock } from '../harness.ts';
import { IS_FULL } from '../test-level.ts';
import { type District, openDistrict, PAGES, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { activities, aVolunteer, readCaches, visitIn, waitForServiceWorker } from './installed.ts';
import { waitForStoredLists } from './offline.ts';
import { words } from './spoken-language.ts';

let district: District;

beforeAll(async () => {
  district = await openDistrict({ SERVICE_WORKER: 'on' });
  await aVolunteer(district);
});

describe.each(IS_FULL ? LANGUAGES : LANGUAGES.slice(0, 1))('the offline app in %s', (language) => {
  const texts = loadMessages(language) as typeof words;

  test('opens after one visit, accepts hours offline, and sends them once online', async () => {
    const person = await aVolunteer(district);
    const visit = await visitIn(language, district, { as: person });
    await waitForServiceWorker(visit);
    await waitForStoredLists(visit);
    await visit.context.setOffline(true);
    visit.expectFailure(/^no answer GET \/api\//);
    await visit.page.reload();
    await visit.page.getByText(texts.web.noSignalKept).waitFor();
    await activities(visit).waitFor();
    const usual = texts['time-entries'].logUsualFor.replace('{{activity}}', 'Garden club');
    await visit.press(
      visit.page.getByRole('button', { name: new RegExp(usual.replace('{{hours}}', '[0-9.]+')) }),
    );
    await visit.sees(texts['time-entries'].keptForLater);
    await inFull(async () => {
      await expectAccessible(visit.page);
      expect(await misfits(visit)).toEqual([]);
    });
    await visit.page.reload();
    await visit.page
      .getByRole('heading', { name: texts.web.notSentYet.replace('{{count, number}}', '1') })
      .waitFor();
    await visit.context.setOffline(false);
    await visit.page.getByText(texts.web.allSent, { exact: true }).first().waitFor();
    const { db } = district.deps.database;
    const stored = await db
      .selectFrom('time_entries')
      .select('id')
      .where('user_id', '=', person.id)
      .execute();
    expect(stored).toHaveLength(2);
  });
});

describe("the browser's cache", () => {
  test('has the page and its files, and no replies, photos or link contents', async () => {
    // A volunteer for this test only, because signing out ends the session.
    const person = await aVolunteer(district);
    const visit = await visitIn('en', district, { as: person });
    await activities(visit).waitFor();
    await waitForServiceWorker(visit);
    await visit.page.reload();
    await visit.page.getByRole('tab', { name: words.web.managePhotos }).tap();
    await visit.page.getByRole('button', { name: /View/ }).first().tap();
    await visit.page.getByRole('img').first().waitFor();
    await visit.page.goto('/?token=lantern-plum');
    await visit.page.getByRole('heading').first().waitFor();
    await visit.page.goto('/?letter=ABCD-EFGH-JKLM');
    await visit.page.getByRole('heading').first().waitFor();
    visit.expectFailure(/^40\d GET \/api\//);
    await expectOnlyThePage(visit, person);
    await visit.page.goto('/');
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.auth.logout }));
    await visit.sees(words.auth.signInTitle);
    await expectOnlyThePage(visit, person);
  });

  async function expectOnlyThePage(visit: Visit, person: { token: string; email: string }): Promise<void> {
    const found = await readCaches(visit);
    expect(found.length).toBeGreaterThan(10);
    const others = found.filter(
      ({ path }) => !/^\/(assets\/[\w.-]+|index\.html\?__WB_REVISION__=[\w-]+)$/.test(path),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
    const all = found.map(({ text }) => text).join();
    for (const own of [person.token, person.email, 'Garden club', 'lantern-plum', 'ABCD-EFGH-JKLM']) {
      expect(all).not.toContain(own);
    }
  }
});

describe('a new version of the app', () => {
  let own: District;
  let pages: string;
  let person: Awaited<ReturnType<typeof aVolunteer>>;

  beforeAll(async () => {
    pages = mkdtempSync(join(tmpdir(), 'pages-'));
    atEnd(() => rmSync(pages, { recursive: true, force: true }));
    cpSync(PAGES, pages, { recursive: true });
    for (const file of globSync(`${pages}/**/*.{br,gz}`)) rmSync(file);
    own = await openDistrict({ SERVICE_WORKER: 'on' }, runningClock(), pages);
    person = await aVolunteer(own);
  });

  let version = 1;

  /** Replaces the served version with a new one, whose page contains its name. */
  function replaceVersion(): string {
    version += 1;
    const name = `Version ${version}`;
    const page = join(pages, 'index.html');
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(/<html(?: data-version="[^"]*")?/, `<html data-version="${name}"`),
    );
    const worker = join(pages, 'sw.js');
    const code = readFileSync(worker, 'utf8');
    const renewed = code.replace(
      /(index\.html`,revision:`|index\.html",\s*revision:\s*")[\w-]+/,
      `$1version-${version}`,
    );
    expect(renewed).not.toBe(code);
    writeFileSync(worker, renewed);
    return name;
  }

  const versionShown = ({ page }: Visit) => page.evaluate(() => document.documentElement.dataset['version']);
  const ask = ({ page }: Visit) =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update();
    });
  const waits = ({ page }: Visit) =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state);

  test('is offered once no input is unfinished, and used when the user agrees', async () => {
    const visit = await visitIn('en', own, { as: person });
    await visit.page.clock.install();
    await activities(visit).tap();
    await visit.page.getByRole('radio', { name: '2 h' }).tap();
    await waitForServiceWorker(visit);
    await visit.page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    const name = replaceVersion();
    await ask(visit);
    await expect.poll(() => waits(visit)).toBe('installed');
    // Every second, the page checks whether it may offer the new version.
    await visit.page.clock.runFor(3_000);
    expect(await visit.page.getByText(words.web.newVersion).count()).toBe(0);
    await visit.press(visit.button('Log 2 hours'));
    await visit.sees(words.web.newVersion);
    expect(await visit.page.evaluate(() => 'isSame' in globalThis)).toBe(true);
    await visit.press(visit.button(words.web.reload));
    await expect.poll(() => versionShown(visit)).toBe(name);
    await activities(visit).waitFor();
  });
});
