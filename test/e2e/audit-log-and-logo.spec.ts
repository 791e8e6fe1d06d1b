import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, editOf } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;

let ada: Awaited<ReturnType<typeof anAdministrator>>;

let lincoln: Awaited<ReturnType<typeof aSchool>>;

let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
});

const dialog = () => visit.page.getByRole('dialog');

const said = (words: string | RegExp) => visit.page.getByRole('listitem').filter({ hasText: words });

async function openAdmin(look: Look) {
  visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
}

async function openLog(look: Look) {
  await openAdmin(look);
  await visit.press(visit.button(words.web.districtLog).locator('visible=true'));
  await visit.page.getByRole('heading', { name: words.web.districtLog }).waitFor();
  await said(/./).first().waitFor();
}

describe("the district's audit log", () => {
  let entry: { id: number };
  beforeAll(async () => {
    const maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
    const activity = await anActivity(district, { school: lincoln, name: 'Library Helper' });
    entry = await anEntry(district, { by: maria, activity, hours: 2, date: '2026-03-01' });
    await district.call(`PUT /api/time-entries/${entry.id}`, {
      token: maria.token,
      body: await editOf(district, entry.id, { hours: 3 }),
    });
    await district.call(`PUT /api/time-entries/${entry.id}`, {
      token: ada.token,
      body: await editOf(district, entry.id, { hours: 1, notes: 'Shelves' }),
    });
    await district.call('POST /api/auth/login', { body: { email: maria.email, password: 'wrong' } });
  });

  const CHANGED = 'Maria Lopez changed the hours of the entry for Library Helper on Mar 1, 2026 from 2 to 3';

  test.each(looks(DESKTOP))('describes who did what, and links to histories: $device', async (look) => {
    await openLog(look);
    await visit.sees(CHANGED);
    await said('A sign-in to the account of Maria Lopez failed').getByText('from 10.0.0.1').waitFor();
    await said("changed Maria Lopez's entry for Library Helper").getByText('from 3 to 1').waitFor();
    await inFull(() => expectAccessible(visit.page));
    await visit.press(said(CHANGED).getByRole('button', { name: 'History of Library Helper' }));
    await dialog().getByText(CHANGED).waitFor();
    expect(await dialog().getByRole('listitem').count()).toBe(2);
    await inFull(() => expectAccessible(visit.page));
    await visit.press(dialog().getByRole('button', { name: words.web.close }));
    await dialog().waitFor({ state: 'hidden' });
  });

  fullTest('is searched and filtered by keyboard alone', async () => {
    await openAdmin(DESKTOP);
    await visit.button(words.web.districtLog).locator('visible=true').focus();
    await visit.page.keyboard.press('Enter');
    await said(CHANGED).waitFor();
    // The buttons of Settings and System come first, then the search.
    for (let stop = 0; stop < 3; stop++) await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.type('nobody at all');
    await visit.sees(words.audit.noneMatch);
    await visit.page.getByRole('searchbox').fill('lopez');
    await said(CHANGED).waitFor();
    await visit.page
      .getByLabel(words.audit.action, { exact: true })
      .selectOption('Failed sign-ins and blocked access');
    await said(CHANGED).waitFor({ state: 'hidden' });
    await said('A sign-in to the account of Maria Lopez failed').waitFor();
    await visit.press(visit.button(words.web.resetAll));
    await said(CHANGED).waitFor();
    await visit.page.getByLabel(words.web.startDate).fill('2020-01-01');
    await visit.page.getByLabel(words.web.endDate).fill('2020-01-02');
    await visit.sees(words.audit.noneMatch);
    await visit.press(visit.button(words.audit.showAll));
    await visit.press(visit.button('Person: Everyone'));
    await dialog().getByRole('searchbox').fill('lopez');
    await visit.press(dialog().getByRole('button', { name: /Maria Lopez/ }));
    await visit.page.getByRole('button', { name: 'Person: Maria Lopez' }).waitFor();
    await said(CHANGED).waitFor();
    await visit.page.getByRole('tab', { name: words.schools.title }).click();
    await visit.page.getByRole('heading', { name: words.schools.title, exact: true }).waitFor();
  });

  fullTest('shows an error if it fails to load, and loads with Try again', async () => {
    await openAdmin(DESKTOP);
    await visit.breakAt('GET /api/admin/audit', 503);
    await visit.press(visit.button(words.web.districtLog).locator('visible=true'));
    await visit.sees(words.audit.failedToLoad);
    await visit.mend();
    await visit.press(visit.button(words.web.tryAgain));
    await said(CHANGED).waitFor();
  });

  fullTest('opens as a history from a user and an entry', async () => {
    await openAdmin(DESKTOP);
    await visit.press(visit.page.getByRole('button', { name: 'Maria Lopez' }));
    await visit.press(dialog().getByRole('button', { name: words.web.history }));
    await visit.page.getByRole('heading', { name: 'History of Maria Lopez' }).waitFor();
    await visit.sees('A sign-in to the account of Maria Lopez failed');
    await visit.page.keyboard.press('Escape');
    await visit.page.getByRole('heading', { name: words.users.editTitle }).waitFor();
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
    await visit.page.getByLabel(words.schools.filter).selectOption('Lincoln Elementary');
    await visit.press(visit.page.getByRole('button', { name: /^History of Library Helper/ }));
    await dialog().getByText(CHANGED).waitFor();
  });
});

describe("a school's logo", () => {
  const badge = (color: string) =>
    sharp({ create: { width: 600, height: 600, channels: 4, background: color } })
      .png()
      .toBuffer();
  const aFile = async (color: string) => ({
    name: 'badge.png',
    mimeType: 'image/png',
    buffer: await badge(color),
  });

  const picker = () => dialog().locator('input[type=file]');

  const logos = () => visit.page.locator('img[src^="/api/schools/logos/"]');

  beforeEach(() => aSchool(district, { name: 'Oak Middle School' }).catch(() => undefined));

  test.each(looks(DESKTOP))('is uploaded with a preview, and removed: $device', async (look) => {
    await openAdmin(look);
    await visit.press(visit.page.getByRole('tab', { name: words.schools.title }));
    const opener = visit.button('Oak Middle School');
    await visit.press(opener);
    await dialog().getByText('Recommended 500x500').waitFor();
    await picker().setInputFiles(await aFile('#7a1f3d'));
    await dialog().locator('img[src^="blob:"]').waitFor();
    await dialog().getByRole('button', { name: words.schools.logoReplace }).waitFor();
    await inFull(() => expectAccessible(visit.page));
    await visit.press(dialog().getByRole('button', { name: words.web.save }));
    await visit.sees(words.schools.logoUpdated);
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => logos().count()).toBe(1);
    const width = () => logos().evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width).toBe(500);

    await visit.press(opener);
    await visit.press(dialog().getByRole('button', { name: words.schools.logoRemove }));
    await visit.press(dialog().getByRole('button', { name: words.web.save }));
    await visit.sees(words.schools.logoRemoved);
    await expect.poll(() => logos().count()).toBe(0);
  });

  fullTest('is added with a new school, and shown in the header and during registration', async () => {
    await openAdmin(DESKTOP);
    await visit.press(visit.page.getByRole('tab', { name: words.schools.title }));
    await visit.press(visit.button(words.schools.add));
    await dialog().getByLabel(words.schools.name).fill('Harbor School');
    await picker().setInputFiles(await aFile('#0b5394'));
    await visit.press(dialog().getByRole('button', { name: words.schools.create }));
    await visit.sees(words.schools.created);
    await expect.poll(() => logos().count()).toBe(1);
    const { schools } = (await district.call('GET /api/schools/public')).body;
    const harbor = schools.find(({ name }: { name: string }) => name === 'Harbor School');
    const volunteer = await aPerson(district, { schools: [harbor] });
    visit = await open(district, { as: volunteer });
    await visit.page.locator(`header img[src="${harbor.logoUrl}"]`).waitFor();
    visit = await open(district);
    await visit.press(visit.page.getByRole('button', { name: /Create one/ }));
    await visit.page.locator(`label img[src="${harbor.logoUrl}"]`).waitFor();
  });

  fullTest('is rejected with a message if the file is not an image', async () => {
    await openAdmin(DESKTOP);
    await visit.press(visit.page.getByRole('tab', { name: words.schools.title }));
    await visit.press(visit.button('Oak Middle School'));
    await picker().setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg/>'),
    });
    await visit.press(dialog().getByRole('button', { name: words.web.save }));
    await visit.sees(words.schools.logoType);
    const whole = await badge('#112233');
    await picker().setInputFiles({ name: 'torn.png', mimeType: 'image/png', buffer: whole.subarray(0, 200) });
    visit.expectFailure(/400 POST \/api\/admin\/schools\/\d+\/logo/);
    await visit.press(dialog().getByRole('button', { name: words.web.save }));
    await visit.sees(words.schools.logoUnreadable);
    await expectAccessible(visit.page);
  });
});
