import type { TestApp } from './harness.ts';

/** Identifiers that no row has: an unknown one and invalid ones. */
export const NO_ID = ['999999', '0', '-1', '1.5', '1e3', 'abc', '%20', 'null', '9'.repeat(30)];

/** Reads a list page by page until its cursor ends; returns the pages. */
export async function readPages(
  app: TestApp,
  path: string,
  token: string,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const pages: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
    const { status, body, text } = await app.call(`GET ${path}${path.includes('?') ? '&' : '?'}${query}`, {
      token,
    });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    pages.push(body);
    cursor = body.nextCursor;
  } while (cursor !== null && pages.length < 100);
  return pages;
}
