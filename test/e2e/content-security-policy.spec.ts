import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { INJECTED_STYLE_HASH } from '#server/http/browser-pages.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anEntry, aPerson, aSchool } from '../builders.ts';
import { type District, open, openDistrict } from './browser.ts';

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
});
