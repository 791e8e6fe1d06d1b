import type * as z from 'zod/mini';
import { type Instant, instantOf, millisecondsOf } from '#base/calendar-date.ts';
import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { type Db, type Trx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { hashToken, newToken } from '#server/secret.ts';
import { messages, type ResetInput } from '../contract.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { endSessionsOf } from './sessions.ts';
import { setPassword } from './store.ts';

/** Makes a link's token for an account, valid for so many hours; every older link of it dies. */
export async function makePasswordLink(
  trx: Trx,
  userId: number,
  at: Instant,
  hours: number,
): Promise<string> {
  await trx.deleteFrom('password_links').where('user_id', '=', userId).execute();
  const token = newToken();
  await trx
    .insertInto('password_links')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: at,
      expires_at: instantOf(millisecondsOf(at) + hours * 3_600_000),
      used_at: null,
    })
    .execute();
  return token;
}

/** Whose link this is; refused when it is unknown, used, replaced or expired. */
export async function verifyLink(deps: Deps, request: Request, token: string) {
  const link = await findLink(deps.database.db, token, request.at);
  if (link === undefined) throw refuse.invalid(messages.invalidResetToken);
  return { user: { firstName: link.first_name, email: link.email } };
}

/** Sets the password with a link's token, once; every session of the account ends. */
export async function setPasswordByLink(deps: Deps, request: Request, input: z.output<typeof ResetInput>) {
  checkNewPassword(deps, input.newPassword, 'newPassword');
  // Hashing costs as much as a sign-in, so it is not done for every stray token.
  if ((await findLink(deps.database.db, input.token, request.at)) === undefined) {
    throw refuse.invalid(messages.invalidResetToken);
  }
  const passwordHash = await hashPassword(input.newPassword);
  return transaction(deps.database, async (trx) => {
    const userId = await useLink(trx, input.token, request.at);
    if (userId === undefined) throw refuse.invalid(messages.invalidResetToken);
    await setPassword(trx, userId, passwordHash);
    await endSessionsOf(trx, userId);
    await record(
      trx,
      { ...actorOf(request, undefined), userId },
      {
        action: 'password.reset',
        subject: 'user',
        subjectId: userId,
      },
    );
    return { message: text(deps, messages.passwordReset) };
  });
}

function findLink(db: Db, token: string, now: Instant) {
  return db
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .select(['users.first_name', 'users.email'])
    .where('password_links.token_hash', '=', hashToken(token))
    .where('password_links.used_at', 'is', null)
    .where('password_links.expires_at', '>', now)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
}

// One conditional write decides: of two requests with the same token, one finds it used.
async function useLink(trx: Trx, token: string, now: Instant): Promise<number | undefined> {
  const used = await trx
    .updateTable('password_links')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return used?.user_id;
}
