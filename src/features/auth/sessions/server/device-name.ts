import type { Deps } from '#server/deps.ts';
import { translate } from '#server/i18n/translator.ts';
import { messages } from '../contract.ts';

// The first match wins: most browsers also claim to be several others.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A readable name of a user agent: 'Chrome on Android'. */
export function describeDevice(deps: Pick<Deps, 'translator'>, agent: string): string {
  const browser = nameIn(BROWSERS, agent);
  const system = nameIn(SYSTEMS, agent);
  if (browser !== undefined && system !== undefined)
    return translate(deps, messages.browserOn(browser, system));
  return browser ?? system ?? translate(deps, messages.unknownDevice);
}

function nameIn(known: readonly (readonly [RegExp, string])[], agent: string): string | undefined {
  return known.find(([pattern]) => pattern.test(agent))?.[1];
}
