import { type RawBuilder, sql } from 'kysely';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { PAGE } from '#shared/list-query.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { isSameSecret, sign } from '../../secrets.ts';

/** The sort values of the last row of a page, ending with its id; null for a missing value. */
export type PageKey = readonly (string | number | null)[];

/** A page request: the number of rows, the key to start after, and the list, so that no cursor fits another list. */
export type Page = Readonly<{ limit: number; after: PageKey | undefined }>;

type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

/** Parses a list's page query. Throws 400 for a cursor of another list or an altered one. */
export function readPage(secretKey: Buffer, list: string, query: PageQuery): Page {
  const limit = query.limit ?? PAGE.default;
  return { limit, after: query.cursor === undefined ? undefined : readCursor(secretKey, list, query.cursor) };
}

/**
 * Cuts rows (fetched with one more than `limit`) to a page: the rows, and the next page's cursor or null at
 * the end. `keyOf` returns a row's sort values.
 */
export function cutPage<R>(
  secretKey: Buffer,
  { list, rows, limit }: { list: string; rows: readonly R[]; limit: number },
  keyOf: (row: R) => PageKey,
): { rows: readonly R[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: kept, nextCursor: null };
  return { rows: kept, nextCursor: writeCursor(secretKey, list, keyOf(last)) };
}

/**
 * A page of a list, with the next page's cursor or null at the end. `read` must return one row more than the page's limit;
 * `keyOf` returns a row's sort values.
 */
export async function pageByKey<R>(
  secretKey: Buffer,
  list: string,
  query: PageQuery,
  { read, keyOf }: { read: (page: Page) => Promise<readonly R[]>; keyOf: (row: R) => PageKey },
): Promise<{ rows: R[]; nextCursor: string | null }> {
  const page = readPage(secretKey, list, query);
  const found = { list, rows: await read(page), limit: page.limit };
  const { rows, nextCursor } = cutPage(secretKey, found, keyOf);
  return { rows: [...rows], nextCursor };
}

/**
 * A page of a list sorted by name, with the total number of rows. `read` must return one row more than the
 * page's limit.
 */
export async function pageByName<R extends Readonly<{ id: number; name: string }>>(
  secretKey: Buffer,
  list: string,
  query: PageQuery,
  { read, count }: { read: (page: Page) => Promise<readonly R[]>; count: () => Promise<number> },
): Promise<{ rows: R[]; total: number; nextCursor: string | null }> {
  const keyOf = ({ name, id }: R) => [foldForSearch(name), id];
  const { rows, nextCursor } = await pageByKey(secretKey, list, query, { read, keyOf });
  return { rows, total: await count(), nextCursor };
}

/** Matches the rows after a page's key, in a list ordered by `name_key` and `id`; all of them on the first page. */
export function afterName(table: string, page: Page): RawBuilder<boolean> {
  if (page.after === undefined) return sql<boolean>`1 = 1`;
  const [name, id] = page.after;
  return sql<boolean>`(${sql.ref(`${table}.name_key`)}, ${sql.ref(`${table}.id`)}) > (${name}, ${id})`;
}

/** Matches the rows after a page's key, in a list with the highest `id` first; all of them on the first page. */
export function beforeId(table: string, page: Page): RawBuilder<boolean> {
  if (page.after === undefined) return sql<boolean>`1 = 1`;
  return sql<boolean>`${sql.ref(`${table}.id`)} < ${page.after[0]}`;
}

function writeCursor(secretKey: Buffer, list: string, key: PageKey): string {
  const body = Buffer.from(JSON.stringify(key)).toString('base64url');
  return `${body}.${signatureOf(secretKey, list, body)}`;
}

function readCursor(secretKey: Buffer, list: string, cursor: string): PageKey {
  const [body = '', given = '', ...more] = cursor.split('.');
  if (more.length > 0 || !isSameSecret(given, signatureOf(secretKey, list, body))) {
    throw errors.invalid(commonMessages.cursor, { cursor: commonMessages.cursor });
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
}

function signatureOf(secretKey: Buffer, list: string, body: string): string {
  return sign(secretKey, `cursor ${list}`, body).slice(0, 22);
}
