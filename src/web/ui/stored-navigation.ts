const STORAGE_KEY = 'trail';

/** Returns the screens to restore after a reload, the current one last; none on a fresh visit. */
export function storedNavigation(): string[] {
  // A fresh visit, from a bookmark or by URL, is most likely about logging hours.
  const [visit] = performance.getEntriesByType?.('navigation') ?? [];
  if ((visit as PerformanceNavigationTiming | undefined)?.type === 'navigate') return [];
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}

/** Stores the screens for a reload. */
export function storeNavigation(screens: readonly string[]): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(screens));
  } catch {
    // Storage is off, so a reload starts at the first screen.
  }
}
