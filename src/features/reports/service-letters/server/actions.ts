import { messages as userMessages } from '#features/users/contract.ts';
import { record } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { cutPage, readPage } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import { actorOf, type Request, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { refuse } from '#shared/errors.ts';
import { spellCode } from '#shared/short-code.ts';
import { type Letter, messages } from '../contract.ts';
import { contentsOfIssuedLetters, isOf, isRenamed, onlySchool, toLetter } from './letter-status.ts';
import {
  findLetter,
  findVisiblePeople,
  holdLetter,
  pageOfLetters,
  type StoredLetter,
  withdraw,
} from './store.ts';

const LIST = 'letters';

/** The letters about somebody: one's own, or those of a person whom the viewer sees, as far as the viewer's schools go. */
export async function lettersAbout(
  deps: Deps,
  viewer: Viewer,
  query: { userId?: number | undefined; limit?: number | undefined; cursor?: string | undefined },
): Promise<{ letters: Letter[]; nextCursor: string | null }> {
  const { db } = deps.database;
  const userId = query.userId ?? viewer.userId;
  const isOwn = userId === viewer.userId;
  const scope = scopeFor(viewer, 'see people');
  if (!isOwn) {
    const seen = scope.length === 0 ? [] : await findVisiblePeople(db, [userId], scope);
    if (seen.length === 0) throw refuse.notFound(userMessages.userNotFound);
  }
  const page = readPage(deps.secretKey, LIST, query);
  const found = { list: LIST, rows: await pageOfLetters(db, userId, page), limit: page.limit };
  const { rows, nextCursor } = cutPage(deps.secretKey, found, ({ id }) => [id]);
  const shown = rows.filter((row) => isOwn || isOf(scope, row));
  const now = await contentsOfIssuedLetters(db, userId, shown);
  return {
    letters: shown.map((row) => toLetter(row, now.get(row.id), { isRenamed: isRenamed(row) })),
    nextCursor,
  };
}

/** Withdraws a letter: one's own, or one of the schools where the viewer may. A second time changes nothing. */
export function withdrawServiceLetter(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  id: number,
): Promise<{ letter: Letter; message: string }> {
  return transaction(deps.database, async (trx) => {
    await holdLetter(trx, id);
    const letter = await letterWithin(trx, viewer, id);
    if (letter.withdrawn_at === null) {
      await withdraw(trx, { id }, { at: request.at, by: viewer.userId });
      await record(trx, actorOf(viewer, request), {
        action: 'letter.withdraw',
        subject: 'user',
        subjectId: letter.user_id,
        schoolId: onlySchool(letter),
        after: { letter: spellCode(letter.code) },
      });
    }
    const after = { ...letter, withdrawn_at: letter.withdrawn_at ?? request.at };
    return { letter: toLetter(after, undefined), message: text(deps, messages.withdrawn) };
  });
}

async function letterWithin(trx: Trx, viewer: Viewer, id: number): Promise<StoredLetter> {
  const letter = await findLetter(trx, id);
  if (letter?.user_id === viewer.userId) return letter;
  const seen = scopeFor(viewer, 'see people');
  if (letter === undefined || letter.user_id === null || !isOf(seen, letter)) {
    throw refuse.notFound(messages.notFound);
  }
  if (!isOf(scopeFor(viewer, 'withdraw letters'), letter)) throw refuse.forbidden(messages.mayNotWithdraw);
  return letter;
}
