/** A name without its year: 'book fair 2026' and '2025-26 book fair' are the same event. */
export function withoutYear(nameKey: string): string {
  return nameKey
    .replace(/\b20\d\d(\s?[-/–]\s?(20)?\d\d)?\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
