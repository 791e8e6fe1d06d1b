import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import { cutPage, readPage } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { fromHundredths } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { searchWords } from '#shared/text-normalization.ts';
import { accountsByIds, lockBothAccounts, toVisibleAccount } from '../../server/accounts.ts';
import { type listDuplicates, type markNotDuplicate, messages } from '../contract.ts';
import { findDuplicatePairs, isBefore, type Pair, sortKeyOf } from './duplicate-detection.ts';
import {
  deleteNotDuplicate,
  findNotDuplicates,
  hoursOf,
  insertNotDuplicate,
  readCandidates,
} from './duplicates-store.ts';

const LIST = 'duplicates';

/** Finds pairs of possible duplicates. Concurrent calls for the same schools share one search. */
export function createDuplicateFinder(deps: Deps) {
  const running = new Map<string, Promise<readonly Pair[]>>();
  const search = ({ schools }: Viewer): Promise<readonly Pair[]> => {
    const key = JSON.stringify(schools);
    const known = running.get(key);
    if (known !== undefined) return known;
    const found = readCandidates(deps.database.db, schools)
      .then(findDuplicatePairs)
      .finally(() => running.delete(key));
    running.set(key, found);
    return found;
  };
  return async (viewer: Viewer, query: QueryOf<typeof listDuplicates>) => {
    const pairs = await search(viewer);
    return pageOf(deps, viewer, query, pairs);
  };
}

async function pageOf(
  deps: Deps,
  viewer: Viewer,
  query: QueryOf<typeof listDuplicates>,
  pairs: readonly Pair[],
) {
  const { db } = deps.database;
  const { userId } = query;
  const page = readPage(deps.secretKey, LIST, query);
  const wanted = searchWords(query.search ?? '');
  const asked = pairs.filter(
    ({ low, high, names }) =>
      (userId === undefined || low === userId || high === userId) &&
      wanted.every((word) => names.some((name) => name.includes(word))),
  );
  const apart = await findNotDuplicates(db, [...new Set(asked.map(({ low }) => low))]);
  const left = asked.filter(({ low, high }) => !apart.has(`${low} ${high}`));
  const { after, limit } = page;
  const from = after === undefined ? left : left.filter((pair) => isBefore(after, sortKeyOf(pair)));
  const cut = cutPage(deps.secretKey, { list: LIST, rows: from.slice(0, limit + 1), limit }, sortKeyOf);
  const ids = [...new Set(cut.rows.flatMap(({ low, high }) => [low, high]))];
  const [users, hours] = [await accountsByIds(db, ids), await hoursOf(db, ids)];
  const shown = (id: number) => {
    const user = users.get(id);
    if (user === undefined) return undefined;
    const { entries, hundredths } = hours.get(id) ?? { entries: 0, hundredths: 0 };
    return { user: toVisibleAccount(viewer, user), entries, hours: fromHundredths(hundredths) };
  };
  return {
    // Leaves out people who were merged or deleted after the search started.
    pairs: cut.rows.flatMap(({ low, high, reason }) => {
      const [one, other] = [shown(low), shown(high)];
      return one === undefined || other === undefined ? [] : [{ one, other, reason }];
    }),
    total: left.length,
    nextCursor: cut.nextCursor,
  };
}

/** Marks two people as different, or reverts that. Repeating it changes nothing. */
export function setNotDuplicate(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
  { other, areTwo }: BodyOf<typeof markNotDuplicate>,
) {
  if (id === other) throw errors.invalid(messages.samePerson, { other: messages.samePerson });
  return transaction(deps.database, async (trx) => {
    const both = await lockBothAccounts(trx, viewer, id, other);
    const pair = { low: Math.min(id, other), high: Math.max(id, other) };
    const isNew = areTwo
      ? await insertNotDuplicate(trx, pair, viewer.userId, request.at)
      : await deleteNotDuplicate(trx, pair);
    if (isNew) {
      await recordEvent(trx, actorOf(viewer, request), {
        action: areTwo ? 'account.apart' : 'account.alike',
        subject: 'user',
        subjectId: id,
        after: { other },
      });
    }
    const [one, two] = [fullName(both.one.account), fullName(both.other.account)];
    return { message: translate(deps, areTwo ? messages.saidApart(one, two) : messages.saidAlike(one, two)) };
  });
}
