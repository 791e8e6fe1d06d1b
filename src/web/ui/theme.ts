import { readStored, writeStored } from '../api/browser-storage.ts';

/** The color theme: the device's own, or the one chosen in Account Settings. */
export const THEMES = ['device', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'theme';
/** The page background from tokens.css, for the browser bar on phones. */
const GROUNDS = { light: '#f6f7f5', dark: '#111513' } as const;

/** The theme chosen on this device. */
export function chosenTheme(): Theme {
  const stored = readStored(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'device';
}

export function chooseTheme(theme: Theme): void {
  writeStored(STORAGE_KEY, theme === 'device' ? null : theme);
  showTheme();
}

/** Applies the chosen theme; called before the first render. */
export function showTheme(): void {
  const theme = chosenTheme();
  if (theme === 'device') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.getAttribute('media')?.includes('dark') === true ? 'dark' : 'light';
    meta.content = GROUNDS[theme === 'device' ? own : theme];
  }
}
