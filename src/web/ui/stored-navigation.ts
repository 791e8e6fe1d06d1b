const STORED = 'trail';

/** The places that a reload goes back to, the shown one last; none where the product was opened anew. */
export function storedNavigation(): string[] {
  // Somebody who opens the product anew, from a bookmark or by its address, wants to log hours.
  const [visit] = performance.getEntriesByType?.('navigation') ?? [];
  if ((visit as PerformanceNavigationTiming | undefined)?.type === 'navigate') return [];
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

/** Keeps the places for a reload. */
export function storeNavigation(places: readonly string[]): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(places));
  } catch {
    // Storage is switched off: a reload starts at the first place.
  }
}
