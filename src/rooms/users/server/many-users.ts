import { fieldsOf } from '#base/fields.ts';
import { isDistrictAdministrator } from '#base/permissions.ts';
import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { type Trx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { type Acting, actorOf, narrowTo } from '#server/http/viewer.ts';
import { type Account, type ManyDeed, messages } from '../admin-contract.ts';
import { messages as accountMessages } from '../contract.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { kept, refuseBeyondRights, refuseLast, refuseOwnStanding, requireAccount } from './admin-users.ts';
import { holdAdministrators, unapprovedOf } from './admin-users-store.ts';
import { refuseAboveAll, refuseOutside } from './grants.ts';
import { approveMember, leaveSchools, makeRoomFor, schoolsAmong } from './membership-store.ts';
import { endSessionsOf } from './session-store.ts';
import { deleteSignInLinksOf } from './sign-in-link-store.ts';
import { countVersion, holdUser, insertMemberships, updateUser } from './store.ts';
import { updateWalkIn } from './walk-in-store.ts';

type Given = {
  userIds: readonly number[];
  count: number;
  deed: ManyDeed;
  schoolId?: number | null | undefined;
};

/**
 * Deactivates or reactivates many accounts, adds them to a school or takes them out again, or approves them for photos; all of them, or none. 409 when
 * they are not as many as the person was asked about, 404 when one is not of the viewer's schools.
 */
export function changeManyAccounts(deps: Deps, acting: Acting, { userIds, count, deed, schoolId }: Given) {
  const ids = [...new Set(userIds)].toSorted((a, b) => a - b);
  if (ids.length !== count) throw refuse.conflict(messages.otherCount);
  return transaction(deps.database, async (trx) => {
    const administrators = await holdAdministrators(trx);
    const school = deed === 'join' || deed === 'leave' ? await requireSchool(trx, acting, schoolId) : 0;
    const changed: number[] = [];
    for (const id of ids) {
      const row = await holdUser(trx, id);
      const before = await requireAccount(trx, acting.viewer, id);
      if (row === undefined) throw refuse.notFound(accountMessages.userNotFound);
      const change = async () => {
        if (deed === 'approve') return approveEverywhere(trx, acting, before);
        if (deed === 'join' || deed === 'leave') {
          return setMembership(trx, acting, before, { school, joins: deed === 'join' });
        }
        const verifiedAt = row.email_verified_at;
        return setActivity(trx, acting, before, {
          isActive: deed === 'activate',
          administrators,
          verifiedAt,
        });
      };
      if (await change()) changed.push(id);
    }
    return { changed, message: text(deps, messages.many[deed](changed.length)) };
  });
}

async function requireSchool(trx: Trx, { viewer }: Acting, schoolId: number | null | undefined) {
  const [known] = schoolId ? await schoolsAmong(trx, [schoolId]) : [];
  if (known === undefined) {
    throw refuse.invalid(messages.schoolRequired, { schoolId: messages.schoolRequired });
  }
  refuseOutside(viewer, [known]);
  return known;
}

async function setActivity(
  trx: Trx,
  acting: Acting,
  before: Account,
  {
    isActive,
    administrators,
    verifiedAt,
  }: {
    isActive: boolean;
    administrators: readonly number[];
    verifiedAt: Parameters<typeof updateUser>[2]['verifiedAt'];
  },
): Promise<boolean> {
  if (before.isActive === isActive) return false;
  const after = { ...fieldsOf(USER_FIELDS, before), isActive };
  refuseOwnStanding(acting.viewer, before, after);
  refuseBeyondRights(acting.viewer, before, { ...after, password: undefined });
  refuseLast(administrators, before.id, isDistrictAdministrator(after) && isActive);
  if (before.isWalkIn) await updateWalkIn(trx, before.id, after);
  else await updateUser(trx, before.id, { ...after, verifiedAt });
  if (!isActive) {
    await endSessionsOf(trx, before.id);
    await deleteSignInLinksOf(trx, before.id);
  }
  await recordChange(trx, acting, before, kept({ ...before, isActive }));
  return true;
}

async function setMembership(
  trx: Trx,
  acting: Acting,
  before: Account,
  { school, joins }: { school: number; joins: boolean },
): Promise<boolean> {
  refuseAboveAll(acting.viewer, before);
  const others = before.schools.filter(({ id }) => id !== school);
  const isMember = others.length < before.schools.length;
  // A volunteer belongs to a school at least.
  const mayLeave = others.length > 0 || isDistrictAdministrator(before) || before.grants.length > 0;
  if (isMember && joins) await approve(trx, acting, before.id, school);
  if (isMember === joins || !(joins || mayLeave)) return false;
  if (joins) {
    await makeRoomFor(trx, before.id, narrowTo(acting.viewer.schools, school) ?? acting.viewer.schools, [
      school,
    ]);
    await insertMemberships(trx, before.id, [school], { at: acting.request.at, isApproved: true });
  } else {
    await leaveSchools(trx, before.id, [school]);
  }
  await countVersion(trx, before.id);
  const schoolIds = [...others.map(({ id }) => id), ...(joins ? [school] : [])];
  await recordChange(trx, acting, before, { ...kept(before), schoolIds });
  return true;
}

// Where the viewer manages the person; at other schools they stay as they are.
async function approveEverywhere(trx: Trx, acting: Acting, before: Account): Promise<boolean> {
  refuseAboveAll(acting.viewer, before);
  const waiting = (await unapprovedOf(trx, [before.id], acting.viewer.schools)).get(before.id) ?? [];
  let isChanged = false;
  for (const { id } of waiting) isChanged = (await approve(trx, acting, before.id, id)) || isChanged;
  return isChanged;
}

// Whoever joined by themselves counts as let in: a district may show photos to those alone. It is nothing to undo.
async function approve(
  trx: Trx,
  { viewer, request }: Acting,
  userId: number,
  schoolId: number,
): Promise<boolean> {
  if (!(await approveMember(trx, userId, schoolId))) return false;
  const approval = { action: 'membership.approve', subject: 'user', subjectId: userId, schoolId } as const;
  await record(trx, actorOf(viewer, request), approval);
  return true;
}

async function recordChange(trx: Trx, { viewer, request }: Acting, before: Account, after: object) {
  await record(trx, actorOf(viewer, request), {
    action: 'account.change',
    subject: 'user',
    subjectId: before.id,
    before: kept(before),
    after,
  });
}
