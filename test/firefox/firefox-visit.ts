import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from './bidi.ts';

/** How long a test waits for the page. */
const TIMEOUT_MS = 20_000;

/** A reference to an element of the page. */
type Node = Readonly<{ sharedId: string }>;
/** An element's role and accessible name. */
export type Thing = Readonly<{ role: string; name: string | RegExp }>;

const KEYS: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Space: ' ',
  Escape: '\uE00C',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Control: '\uE009',
};

export type FirefoxVisit = Awaited<ReturnType<typeof visitWith>>;

/** Opens a tab with the product; `faults` has the page's console errors and warnings. */
export async function visitWith(session: Session, origin: string) {
  const { send, on } = session;
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
  await send('session.subscribe', { events: ['log.entryAdded', 'network.fetchError'] });
  const faults: string[] = [];
  on('log.entryAdded', ({ level, text }: { level: string; text: string | null }) => {
    if (level === 'error' || level === 'warn') faults.push(`${level}: ${text}`);
  });
  await send('script.addPreloadScript', { functionDeclaration: `${logPolicyViolations}` });

  async function run<Result>(functionDeclaration: string, ...given: unknown[]): Promise<Result> {
    const { type, result, exceptionDetails } = await send<{
      type: string;
      result?: { value: string };
      exceptionDetails?: { text: string };
    }>('script.callFunction', {
      functionDeclaration: `(...given) => JSON.stringify((${functionDeclaration})(...given) ?? null)`,
      target: { context },
      awaitPromise: false,
      arguments: given.map((one) => (isNode(one) ? one : { type: 'string', value: String(one) })),
    });
    if (type === 'exception') throw new Error(exceptionDetails?.text);
    return JSON.parse(result?.value ?? 'null') as Result;
  }

  async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
    const end = Date.now() + TIMEOUT_MS;
    let last: unknown;
    while (Date.now() < end) {
      // A page that is being replaced causes an error.
      const found = await look().catch((error: unknown) => {
        last = error;
        return undefined;
      });
      if (found !== undefined) return found;
      await wait(50);
    }
    const shown = await run<string>('() => document.body.innerText').catch(() => '');
    throw new Error(`Firefox does not show ${what}. ${last ?? ''}\n${shown.slice(0, 700)}`);
  }

  // Finds an element in the accessibility tree.
  async function find({ role, name }: Thing): Promise<Node | undefined> {
    const value = typeof name === 'string' ? { role, name } : { role };
    const { nodes } = await send<{ nodes: Node[] }>('browsingContext.locateNodes', {
      context,
      locator: { type: 'accessibility', value },
    });
    for (const node of nodes) {
      const shown = await run<string | null>(`${nameWhereShown}`, node);
      if (shown !== null && (typeof name === 'string' || name.test(shown))) return node;
    }
    return undefined;
  }

  const keysDown = (keys: readonly string[]) =>
    send('input.performActions', {
      context,
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: keys.flatMap((key) => [
            { type: 'keyDown', value: KEYS[key] ?? key },
            { type: 'keyUp', value: KEYS[key] ?? key },
          ]),
        },
      ],
    });

  async function click(node: Node): Promise<void> {
    await run('(one) => one.scrollIntoView({ block: "center" })', node);
    const pointer = [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: node } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await send('input.performActions', {
      context,
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: pointer }],
    });
  }

  const fieldOf = (label: string) =>
    until(`a field '${label}'`, async () => {
      const { nodes } = await send<{ nodes: Node[] }>('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: 'input, textarea, select' },
      });
      for (const node of nodes) if ((await run(`${labelOf}`, node)) === label) return node;
      return undefined;
    });

  return {
    faults: () => faults,
    run,
    go: async (path: string) => {
      // Leaving a page while its font loads is logged as an error.
      const fonts = async () => (await run('() => document.fonts.status')) === 'loaded' || undefined;
      await until('the fonts', fonts);
      await send('browsingContext.navigate', { context, url: `${origin}${path}`, wait: 'complete' });
    },
    reload: () => send('browsingContext.reload', { context, wait: 'complete' }),
    has: (thing: Thing) => until(`${thing.role} '${thing.name}'`, () => find(thing)),
    press: async (role: string, name: string | RegExp) =>
      click(await until(`${role} '${name}'`, () => find({ role, name }))),
    keys: (...keys: string[]) => keysDown(keys),
    type: (text: string) => keysDown([...text]),
    /** Replaces the value of a field by typing. */
    fill: async (label: string, text: string) => {
      const field = await fieldOf(label);
      await run('(one) => { one.focus(); one.select?.(); }', field);
      await keysDown([...text]);
    },
    choose: async (label: string, option: string) => {
      const field = await fieldOf(label);
      await until(
        `the choice '${option}'`,
        async () => (await run<boolean>(`${selectOption}`, field, option)) || undefined,
      );
    },
    attach: async (selector: string, files: readonly string[]) => {
      const element = await until(selector, async () => {
        const locator = { type: 'css', value: selector };
        const { nodes } = await send<{ nodes: Node[] }>('browsingContext.locateNodes', { context, locator });
        return nodes[0];
      });
      await send('input.setFiles', { context, element, files });
    },
    sees: (words: string | RegExp) =>
      until(`'${words}'`, async () => {
        const shown = await run<string>('() => document.body.innerText');
        return (typeof words === 'string' ? shown.includes(words) : words.test(shown)) || undefined;
      }),
    until,
    size: (width: number, height: number) =>
      send('browsingContext.setViewport', { context, viewport: { width, height } }),
    picture: async () =>
      Buffer.from(
        (await send<{ data: string }>('browsingContext.captureScreenshot', { context })).data,
        'base64',
      ),
    end: () => send('browsingContext.close', { context }),
  };
}

function isNode(one: unknown): one is Node {
  return typeof one === 'object' && one !== null && 'sharedId' in one;
}

// The functions below run in the page.

const logPolicyViolations = `() => {
  document.addEventListener('securitypolicyviolation', (violation) => {
    console.error('policy: ' + violation.effectiveDirective + ' ' + violation.blockedURI + ' ' + violation.sample);
  });
}`;

const nameWhereShown = `(one) => {
  const box = one.getBoundingClientRect();
  if (box.width === 0 || getComputedStyle(one).visibility === 'hidden' || one.closest('[inert]')) return null;
  const named = (one.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id));
  const byOthers = named[0] ? named.map((part) => part?.innerText).join(' ') : one.labels?.[0]?.innerText;
  const own = one.innerText || [...one.querySelectorAll('img')].map((image) => image.alt).join(' ');
  return (one.getAttribute('aria-label') ?? byOthers ?? own).replaceAll(/\\s+/g, ' ').trim();
}`;

const labelOf = `(one) => {
  if (one.getBoundingClientRect().width === 0) return null;
  const named = (one.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.innerText);
  const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? named.join(' ');
  return label.split('\\n')[0].trim();
}`;

const selectOption = `(one, label) => {
  const option = [...one.options].find((each) => each.text.trim() === label);
  if (!option) return false;
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(one, option.value);
  one.dispatchEvent(new Event('input', { bubbles: true }));
  one.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}`;
