/** Parses an absolute URL; returns undefined if it is invalid. The oldest supported browsers lack `URL.canParse`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
