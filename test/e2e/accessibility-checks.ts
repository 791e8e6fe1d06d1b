import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { inColours, whatStays } from './expect-accessible.ts';
import { focused } from './keyboard.ts';
import { words } from './spoken-language.ts';

/** A check of a screen's state: the WCAG 2.2 criterion, and a function that returns violations. */
export type Step = readonly [criterion: string, find: (visit: Visit) => Promise<readonly string[]>];

const ZOOMED = { width: 320, height: 256 };
const SIDEWAYS = { width: 640, height: 320 };
const MAX_STOPS = 150;
const MIN_TARGET = 24;
const MIN_CONTRAST = 3;

/** Checks in addition to those of check-screens.ts (axe in both themes, 320 px, 200% text, targets of 44 px on phones). */
export const STEPS: readonly Step[] = [
  ['1.4.10 reflow at 400 %', ({ page }) => at(page, ZOOMED, () => tight(page))],
  ['1.3.4 sideways', ({ page }) => at(page, SIDEWAYS, () => tight(page))],
  ['1.4.12 text spacing', textSpacing],
  ['1.4.11 contrast of controls', controlContrast],
  ['1.4.1 forced colors', forcedColors],
  ['2.3.3 motion', ({ page }) => motion(page)],
  ['2.4.2 page titled', ({ page }) => titled(page)],
  ['2.5.3 label in name', labelInName],
  ['2.5.8 target size', ({ page }) => targets(page)],
  ['3.3.1 errors identified', ({ page }) => errors(page)],
  ['2.4.3 focus', (visit) => focusWalk(visit)],
  [
    '2.4.11 focus not obscured at 400 %',
    ({ page, ...visit }) => at(page, ZOOMED, () => focusWalk({ page, ...visit })),
  ],
];

/** Runs all checks; returns the violations. */
export async function walk(visit: Visit, steps: readonly Step[] = STEPS): Promise<string[]> {
  // Temporary notices would disappear during a check, so wait until none is left.
  const notices = visit.page.getByRole('region', { name: words.web.notices }).getByRole('status');
  await expect.poll(() => notices.getByRole('button').count()).toBe(0);
  const found: string[] = [];
  for (const [criterion, find] of steps) {
    const faults = await find(visit);
    found.push(...faults.map((fault) => `${criterion}: ${fault}`));
  }
  return found;
}

async function at<Found>(
  page: Page,
  size: { width: number; height: number },
  find: () => Promise<Found>,
): Promise<Found> {
  const before = page.viewportSize() ?? SIDEWAYS;
  await page.setViewportSize(size);
  await frames(page);
  try {
    return await find();
  } finally {
    await page.setViewportSize(before);
    await frames(page);
  }
}

const frames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Finds horizontal scrolling, and fixed elements that cover most of the window. */
function tight(page: Page): Promise<string[]> {
  return whatStays(() =>
    page.evaluate(() => {
      const root = document.documentElement;
      const over = root.scrollWidth - root.clientWidth;
      const describe = (element: Element) => element.outerHTML.slice(0, 140);
      // A data table may be wider, but at 320 px each of ours is a list.
      const isTable =
        root.clientWidth > 320 &&
        [...document.querySelectorAll('table')].some(
          (one) => one.getBoundingClientRect().right > root.clientWidth,
        );
      const isOpen = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
      const staying = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
        if (
          isOpen ||
          !element.checkVisibility() ||
          !['fixed', 'sticky'].includes(getComputedStyle(element).position)
        ) {
          return false;
        }
        const { height, width, top } = element.getBoundingClientRect();
        const isStuck = top <= 0 || top + height >= innerHeight - 1;
        return isStuck && width > innerWidth / 2 && height > innerHeight / 2;
      });
      const dialogs = [...document.querySelectorAll<HTMLElement>('[role="dialog"], [role="alertdialog"]')];
      const cut = dialogs.filter((dialog) => {
        const { top, bottom } = dialog.getBoundingClientRect();
        return top < -1 || bottom > innerHeight + 1;
      });
      return [
        ...(over > 0 && !isTable ? [`${over} px wider than its window`] : []),
        ...staying.map((element) => `stays over most of the window: ${describe(element)}`),
        ...cut.map((dialog) => `is taller than its window and does not scroll: ${describe(dialog)}`),
      ];
    }),
  );
}

/** Finds text that is cut off with the text spacing of criterion 1.4.12. */
async function textSpacing(visit: Visit): Promise<string[]> {
  const { page } = visit;
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    );
    Object.assign(globalThis, { sheetsBefore: [...document.adoptedStyleSheets] });
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await frames(page);
  // Data tables may scroll horizontally, and 200% text is another criterion.
  const sticking = (await misfits(visit)).filter(
    (one) => !/^the page at (?!320)[^:]*:.*<t[dhr]|200 % text/.test(one),
  );
  const found = [...sticking, ...(await whatStays(() => cutBelow(page)))];
  await page.evaluate(() => {
    document.adoptedStyleSheets = (globalThis as unknown as { sheetsBefore: CSSStyleSheet[] }).sheetsBefore;
  });
  return found;
}

/** Finds text that is cut off at the bottom, except in boxes that scroll or clamp lines on purpose. */
function cutBelow(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *:not(select, input, textarea, svg, svg *)')]
      .filter((element) => element.clientHeight > 1 && element.scrollHeight > element.clientHeight + 2)
      .filter((element) => {
        const { overflowY, webkitLineClamp, opacity } = getComputedStyle(element);
        return ['hidden', 'clip'].includes(overflowY) && webkitLineClamp === 'none' && opacity !== '0';
      })
      .filter((element) => element.innerText.trim() !== '' && element.closest('.sr-only') === null)
      .map((element) => `cut below: ${element.outerHTML.slice(0, 160)}`),
  );
}

/** Finds field borders without enough contrast, in both themes. */
async function controlContrast({ page }: Visit): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ['dark', 'light'] as const) {
    await inColours(page, scheme);
    found.push(...(await whatStays(() => faintEdges(page, scheme))));
  }
  return found;
}

function faintEdges(page: Page, scheme: string): Promise<string[]> {
  return page.evaluate(
    ([least, theme]) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      if (canvas === null) throw new Error('no canvas');
      const rgb = (colors: readonly string[]) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const color of colors) {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const luminance = (colors: readonly string[]) => {
        const [red = 0, green = 0, blue = 0] = rgb(colors).map((part) => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const behind = (element: Element | null): string[] =>
        element === null
          ? ['canvas']
          : [...behind(element.parentElement), getComputedStyle(element).backgroundColor];
      const contrast = (one: number, other: number) =>
        (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      return [...document.querySelectorAll<HTMLElement>('input, select, textarea')]
        .filter(
          (field) => field.checkVisibility({ opacityProperty: true }) && field.closest('.sr-only') === null,
        )
        .filter((field) => field.getBoundingClientRect().width > 2 && !field.matches(':disabled, [readonly]'))
        .flatMap((field) => {
          // The edge is the field's own, or that of the frame it fills.
          const edges = [field, field.parentElement, field.parentElement?.parentElement].flatMap((one) => {
            if (one === null || one === undefined) return [];
            const { borderBottomWidth, borderBottomColor, backgroundColor } = getComputedStyle(one);
            const around = behind(one.parentElement);
            const outside = luminance(around);
            const line =
              Number.parseFloat(borderBottomWidth) > 0
                ? [contrast(luminance([...around, borderBottomColor]), outside)]
                : [];
            return [...line, contrast(luminance([...around, backgroundColor]), outside)];
          });
          const best = Math.max(...edges);
          // Controls that the browser draws are exempt.
          const isOwn = field.matches('[type="checkbox"], [type="radio"], [type="file"], [type="color"]');
          // A select in a sentence has no border; its text and arrow show it.
          const isInWords = field.matches('select') && getComputedStyle(field).borderBottomWidth === '0px';
          if (isOwn || isInWords || best >= least) return [];
          return [`${best.toFixed(2)}:1 in ${theme}: ${field.outerHTML.slice(0, 120)}`];
        });
    },
    [MIN_CONTRAST, scheme] as const,
  );
}

/** Finds selected items that look like the others with forced colors. */
async function forcedColors({ page }: Visit): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  await frames(page);
  const found = await whatStays(() =>
    page.evaluate(() => {
      const isOn = (element: Element) =>
        ['aria-selected', 'aria-checked', 'aria-pressed', 'aria-current'].some((name) =>
          ['true', 'page', 'date', 'step'].includes(element.getAttribute(name) ?? ''),
        ) ||
        (element instanceof HTMLInputElement && element.checked);
      const look = (element: Element) => {
        const shown = element instanceof HTMLInputElement ? (element.closest('label') ?? element) : element;
        const all = [shown, ...shown.querySelectorAll('*')];
        const parts = [undefined, '::before', '::after']
          .flatMap((pseudo) => all.map((part) => [part, getComputedStyle(part, pseudo)] as const))
          .map(([part, style]) => {
            return [
              style.borderTopColor,
              style.borderTopWidth,
              style.borderBottomColor,
              style.borderBottomWidth,
              style.borderTopStyle,
              style.backgroundColor,
              style.color,
              style.outlineStyle,
              style.textDecorationLine,
              style.fontWeight,
              style.opacity,
              style.content,
              style.display,
              part.tagName,
            ].join();
          });
        return parts.join(';');
      };
      const choices =
        '[role="tab"], [role="radio"], [role="option"], [role="gridcell"] button, [aria-pressed], input[type="radio"], [aria-current]';
      const all = [...document.querySelectorAll<HTMLElement>(choices)].filter((one) => one.checkVisibility());
      return all.filter(isOn).flatMap((chosen) => {
        // The browser draws these marks itself.
        if (
          chosen instanceof HTMLInputElement &&
          getComputedStyle(chosen).appearance !== 'none' &&
          !chosen.closest('.sr-only') &&
          chosen.offsetWidth > 4
        )
          return [];
        const group = chosen.closest(
          '[role="tablist"], [role="radiogroup"], [role="listbox"], fieldset, ul, nav, table',
        );
        const others = all.filter((one) => one !== chosen && !isOn(one) && group?.contains(one) === true);
        const isAlike = others.length > 0 && others.some((other) => look(other) === look(chosen));
        return isAlike ? [`a selected item looks like others: ${chosen.outerHTML.slice(0, 160)}`] : [];
      });
    }),
  );
  await page.emulateMedia({ forcedColors: null });
  return found;
}

/** Finds movement despite reduced motion. Fading is allowed. */
function motion(page: Page): Promise<string[]> {
  return whatStays(() =>
    page.evaluate(() => {
      if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
        return ['motion was not asked to be reduced'];
      return document
        .getAnimations()
        .filter((one) => one.playState === 'running')
        .filter((one) => {
          const effect = one.effect as KeyframeEffect;
          const { duration = 0, iterations = 1 } = effect.getTiming();
          const moves = effect
            .getKeyframes()
            .some((frame) =>
              ['transform', 'translate', 'scale', 'rotate', 'left', 'top', 'height', 'width'].some(
                (name) => name in frame,
              ),
            );
          return moves && Number(duration) > 1 && iterations !== 0;
        })
        .map((one) => {
          const { target } = one.effect as KeyframeEffect;
          return `moves all the same: ${target?.outerHTML.slice(0, 140)}`;
        });
    }),
  );
}

/** Checks that the title names the screen, not only the product. */
function titled(page: Page): Promise<string[]> {
  return whatStays(() =>
    page.evaluate(() => {
      const headings = [
        ...document.querySelectorAll('h1, h2, [role="tab"][aria-selected="true"], button[aria-current]'),
      ]
        .map((one) => one.textContent?.trim() ?? '')
        .filter((words) => words !== '');
      const isLoading = document.querySelector('h2, [role="tab"]') === null;
      const [own = ''] = document.title.split(' - ');
      return isLoading ||
        headings.some((words) => words.startsWith(own) && own !== '' && document.title !== '')
        ? []
        : [`“${document.title}” is none of: ${headings.join(' | ')}`];
    }),
  );
}

/** Finds controls whose accessible name does not contain their visible label, which speech input needs. */
async function labelInName({ page }: Visit): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  const { violations } = await axe
    .withRules([
      'label-content-name-mismatch',
      'autocomplete-valid',
      'focus-order-semantics',
      'td-has-header',
    ])
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      // A calendar day's name has its number and hours with words in between.
      .filter(
        ({ html }) => !(id.startsWith('label-content') && html.includes('figures flex min-h-11 w-full')),
      )
      .map(({ html, target }) => `${id}: ${html.slice(0, 160)} ${target}`),
  );
}

/**
 * Finds targets below 24 px with another target inside the 24 px circle around them. Links in a sentence are exempt.
 */
function targets(page: Page): Promise<string[]> {
  return whatStays(() =>
    page.evaluate((least) => {
      const pressable = 'a[href], button, input, select, textarea, [role="tab"], [role="menuitem"], summary';
      const top = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') ?? document;
      const all = [...top.querySelectorAll<HTMLElement>(pressable)]
        .filter((element) => element.checkVisibility() && element.closest('.sr-only, [inert]') === null)
        .map((element) =>
          element.matches('[type="radio"], [type="checkbox"]')
            ? (element.closest('label') ?? element)
            : element,
        )
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1);
      const isInline = ({ element }: (typeof all)[number]) => {
        const { display } = getComputedStyle(element);
        return (
          element.matches('a') &&
          display === 'inline' &&
          (element.parentElement?.textContent ?? '') !== element.textContent
        );
      };
      const middle = ({ box }: (typeof all)[number]) =>
        [box.x + box.width / 2, box.y + box.height / 2] as const;
      return all
        .filter(({ box }) => box.width < least - 0.5 || box.height < least - 0.5)
        .filter((one) => !isInline(one))
        .filter((one) => {
          const [x, y] = middle(one);
          return all.some((other) => {
            if (other === one || other.element.contains(one.element) || one.element.contains(other.element))
              return false;
            const dx = Math.max(other.box.left - x, 0, x - other.box.right);
            const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
            return Math.hypot(dx, dy) < least / 2;
          });
        })
        .map(
          ({ element, box }) =>
            `${Math.round(box.width)} x ${Math.round(box.height)}: ${element.outerHTML.slice(0, 120)}`,
        );
    }, MIN_TARGET),
  );
}

/** Finds invalid fields without an error text that a screen reader finds. */
function errors(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]
      .filter((field) => field.checkVisibility())
      .filter((field) => {
        const ids = `${field.getAttribute('aria-describedby') ?? ''} ${field.getAttribute('aria-errormessage') ?? ''}`;
        const own = ids.split(/\s+/).filter((id) => id !== '');
        return !own.some((id) => (document.getElementById(id)?.textContent ?? '').trim() !== '');
      })
      .map((field) => `has no error text: ${field.outerHTML.slice(0, 140)}`),
  );
}

/**
 * Moves through the page with Tab alone. Finds focus stops that are invisible, outside the window or covered, and an
 * order that does not return to its start.
 */
async function focusWalk({ page }: Pick<Visit, 'page'>): Promise<string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    for (const one of document.querySelectorAll('[data-walked]')) one.removeAttribute('data-walked');
    scrollTo(0, 0);
  });
  const found: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const { isOnPage, isSeen, name } = await focused(page);
    if (!isOnPage) return found;
    const where = await page.evaluate(stopNow);
    if (where === 'again') return found;
    if (!isSeen) found.push(`no outline shows the focus on ${name}`);
    if (where !== '') found.push(`${where} ${name}`);
  }
  return [...found, `no end after ${MAX_STOPS} stops`];
}

// Runs in the page. Returns what is wrong with the focused element.
async function stopNow(): Promise<string> {
  const element = document.activeElement as HTMLElement;
  if (element.dataset['walked'] !== undefined) return 'again';
  element.dataset['walked'] = '';
  const shown = element.matches('input') ? (element.closest('label') ?? element) : element;
  const visiblePart = () => {
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    return [
      Math.max(left, 0),
      Math.min(right, innerWidth),
      Math.max(top, 0),
      Math.min(bottom, innerHeight),
    ] as const;
  };
  const isOutside = () => {
    const [from, to, above, below] = visiblePart();
    return to - from < 1 || below - above < 1;
  };
  // A busy machine scrolls to it some frames later.
  for (let frame = 0; isOutside() && frame < 30; frame++) await new Promise(requestAnimationFrame);
  if (isOutside()) return 'out of the window:';
  const [from, to, above, below] = visiblePart();
  const points = [0.05, 0.5, 0.95].flatMap((x) =>
    [0.05, 0.5, 0.95].map((y) => [from + (to - from) * x, above + (below - above) * y] as const),
  );
  const isFree = points.some(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there !== null && (shown.contains(there) || there.contains(shown));
  });
  // `elementFromPoint` does not find elements without pointer events.
  if (!isFree && getComputedStyle(shown).pointerEvents !== 'none') {
    const [x = 0, y = 0] = points[4] ?? [];
    return `covered by ${document.elementFromPoint(x, y)?.outerHTML.slice(0, 100)}:`;
  }
  if (element.tabIndex > 0) return 'has its own place in the order:';
  return '';
}
