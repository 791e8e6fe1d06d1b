import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { INJECTED_STYLE_HASH } from '#server/http/browser-pages.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { IS_FULL } from '../test-level.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, type Visit } from './browser.ts';

let district: District;

let volunteer: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
  const school = await aSchool(district);
  const today = dayIn('UTC', district.clock.now());
  const events = await aCategory(district, { school, name: 'Events' });
  const fair = await anActivity(district, { school, category: events, name: 'Book fair', activeFrom: today });
  for (let count = 0; count < 12; count += 1) {
    await anActivity(district, { school, category: events, name: `Evening ${count}`, activeFrom: today });
  }
  volunteer = await aPerson(district, { schools: [school] });
  await anEntry(district, { by: volunteer, activity: fair, date: today });
});

const openEdit = async (visit: Visit) => {
  await visit.press(visit.page.getByRole('tab', { name: 'Recent Activity' }));
  await visit.press(visit.page.getByRole('button', { name: /^Edit Book fair/ }));
  await visit.page.getByRole('dialog').waitFor();
};

// Every other test fails on a violation. These tests prove that it would.
describe('the content security policy', () => {
  test('blocks an inline style, and the check after every test reports it', async () => {
    const visit = await open(district);
    await visit.sees('Maple Grove Schools');
    expect(visit.faults()).toEqual([]);
    await visit.page.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'body { color: red }';
      document.head.append(style);
    });
    await expect.poll(() => visit.faults().join()).toContain('policy: style-src-elem');
    visit.forgetFaults();
  });

  test('blocks HTML set from a string, and code run from a string', async () => {
    const visit = await open(district);
    await visit.sees('Maple Grove Schools');
    const refused = await visit.page.evaluate(() => {
      const put = () => {
        document.body.innerHTML = '<b>text</b>';
      };
      try {
        put();
        return 'taken';
      } catch (error) {
        return String(error);
      }
    });
    expect(refused).toMatch(/TrustedHTML/);
    await expect.poll(() => visit.faults().join()).toContain('policy: require-trusted-types-for');
    visit.forgetFaults();
    // Code run through the debugger is exempt from the policy, so the page runs it from a timer.
    const run = await visit.page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          setTimeout(() => {
            try {
              resolve(new Function('return "run"')());
            } catch (error) {
              resolve(String(error));
            }
          });
        }),
    );
    expect(run).toMatch(/^EvalError/);
    await expect.poll(() => visit.faults().join()).toMatch(/policy: (script-src|require-trusted-types-for)/);
    visit.forgetFaults();
  });

  test("allows the component library's only injected style by its hash", () => {
    const components = createRequire(import.meta.url).resolve('react-aria-components');
    const entry = createRequire(components).resolve('react-aria');
    const folder = entry.slice(0, entry.lastIndexOf(`${join('react-aria', 'dist')}`));
    const file = join(folder, 'react-aria/dist/private/overlays/usePreventScroll.mjs');
    const [, css] = /style\.textContent = `([^`]+)`\.trim\(\)/.exec(readFileSync(file, 'utf8')) ?? [];
    const hash = createHash('sha256')
      .update((css ?? '').trim())
      .digest('base64');
    expect(`'sha256-${hash}'`).toBe(INJECTED_STYLE_HASH);
    expect(dirname(file)).toContain('node_modules');
  });

  test('is sent with the page, and forbids framing it', async () => {
    const visit = await open(district);
    const reply = await visit.page.reload();
    const policy = reply?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  });

  fullTest('blocks a frame from another site', async () => {
    const visit = await open(district);
    await visit.sees('Maple Grove Schools');
    await visit.page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.src = 'https://elsewhere.example/';
      document.body.append(frame);
    });
    await expect.poll(() => visit.faults().join()).toContain('policy: frame-src');
    visit.forgetFaults();
  });

  fullTest('allows the style that a dialog adds to the page on an Apple device', async () => {
    const visit = await open(district, {
      look: PHONE,
      as: volunteer,
      before: (page) =>
        page.addInitScript(() => {
          Object.defineProperty(navigator, 'platform', { get: () => 'iPhone' });
          Object.defineProperty(navigator, 'userAgentData', { get: () => undefined });
        }),
    });
    await openEdit(visit);
    const styles = () => visit.page.locator('head > style').allTextContents();
    await expect.poll(styles).toEqual([expect.stringContaining('overscroll-behavior: contain')]);
  });
});

describe.runIf(IS_FULL).each([PHONE, DESKTOP])('the dashboard on a $device', (look) => {
  // If the scripts load late, the lists load before the screen.
  test.each(['**/api/**', '**/assets/*.js'])('does not shift while %s loads late', async (late) => {
    const visit = await open(district, {
      look,
      as: volunteer,
      before: async (page) => {
        await page.addInitScript(() => {
          Object.assign(globalThis, { shifts: [] });
          new PerformanceObserver((list) => {
            // Only the footer may move.
            const isFoot = ({ node }: { node: Node | null }) =>
              // A text node can move too.
              (node instanceof Element ? node : node?.parentElement)?.closest('footer') != null;
            for (const shift of list.getEntries()) {
              if (!Object(shift).sources.every(isFoot)) Object(globalThis).shifts.push(Object(shift).value);
            }
          }).observe({ type: 'layout-shift', buffered: true });
        });
        let answered = 0;
        await page.route(late, async (route) => {
          answered += 1;
          await new Promise((resolve) => setTimeout(resolve, 250 + 120 * answered));
          await route.fallback();
        });
      },
    });
    await visit.page.getByRole('button', { name: /^Evening 11/ }).waitFor({ state: 'attached' });
    await visit.sees('hour this school year');
    await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    const shifts = await visit.page.evaluate<number[]>(() => Object(globalThis).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
  });

  test('does not shift when thanks for a milestone appear', async () => {
    const ada = await anAdministrator(district);
    const school = await aSchool(district);
    const activity = await anActivity(district, { school, name: 'Garden club' });
    const thanked = await aPerson(district, { schools: [school] });
    const today = dayIn('UTC', district.clock.now());
    await anEntry(district, { by: thanked, activity, hours: 12, date: today });
    await district.call('PUT /api/admin/milestones', {
      token: ada.token,
      body: { milestones: [{ hours: 10, words: 'You are a pillar of our school.' }] },
    });
    const visit = await open(district, {
      look,
      as: thanked,
      before: async (page) => {
        await page.addInitScript(() => {
          Object.assign(globalThis, { shifts: [] });
          new PerformanceObserver((list) => {
            // Only the footer may move.
            const isFoot = ({ node }: { node: Node | null }) =>
              // A text node can move too.
              (node instanceof Element ? node : node?.parentElement)?.closest('footer') != null;
            for (const shift of list.getEntries()) {
              if (!Object(shift).sources.every(isFoot)) Object(globalThis).shifts.push(Object(shift).value);
            }
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await page.route('**/api/profile/thanks', async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          await route.fallback();
        });
      },
    });
    await visit.sees('hours this school year');
    // Wait for the rest of the screen, which causes shifts of its own.
    await visit.page
      .getByRole('button', { name: /Garden club/ })
      .first()
      .waitFor();
    const before = await visit.page.evaluate<number>(() => Object(globalThis).shifts.length);
    await visit.sees('You are a pillar of our school.');
    await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await visit.page.evaluate<number>(() => Object(globalThis).shifts.length)).toBe(before);
    const at = await visit.page.getByText('You are a pillar of our school.').boundingBox();
    expect((at?.y ?? 9_999) + (at?.height ?? 0)).toBeLessThan(visit.page.viewportSize()?.height ?? 0);
  });
});
