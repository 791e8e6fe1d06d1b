import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { type Account, type changeUsersInBulk, messages } from '../admin-contract.ts';
import { messages as accountMessages } from '../contract.ts';
import { endInvitesBeyond, withEndedInvitations } from '../invitations/server/actions.ts';
import { addToSchools } from '../memberships/server/school-access.ts';
import { approveMember, existingSchoolIds, leaveSchools } from '../memberships/server/store.ts';
import { rejectOtherSchools } from '../roles/server/actions.ts';
import { setActive } from './account-change.ts';
import { requireConfirmed, requirePermission } from './account-permissions.ts';
import { auditedFields, requireAccount } from './admin-users.ts';
import { lockAdministrators, unapprovedUsers } from './admin-users-store.ts';
import { signIns } from './sign-in-hooks.ts';
import { countVersion, lockUser } from './store.ts';

type Given = BodyOf<typeof changeUsersInBulk>;

/** The effect of a bulk action on one account; `ended` is the number of its invitations that were revoked. */
type Done = Readonly<{ isChanged: boolean; isInvited?: boolean; ended?: number }>;

/**
 * Deactivates or reactivates many accounts, adds them to a school, removes them, or approves them for photos. Changes all of
 * them or none. Throws 409 if their number differs from what the viewer confirmed, 404 if one is not at the viewer's schools.
 */
export function changeAccountsInBulk(deps: Deps, acting: Acting, given: Given) {
  const { userIds, count, deed } = given;
  const ids = [...new Set(userIds)].toSorted((a, b) => a - b);
  if (ids.length !== count) throw errors.conflict(messages.otherCount);
  return transaction(deps.database, async (trx) => {
    const administrators = await lockAdministrators(trx);
    const isOfSchool = deed === 'join' || deed === 'leave';
    const school = isOfSchool ? await requireSchool(trx, acting, given.schoolId) : 0;
    const changed: number[] = [];
    let [ended, invited] = [0, 0];
    for (const id of ids) {
      const row = await lockUser(trx, id);
      const before = await requireAccount(trx, acting.viewer, id);
      if (row === undefined) throw errors.notFound(accountMessages.userNotFound);
      const done = await change(trx, deps, acting, { ...given, before, school, administrators });
      if (done.isChanged) changed.push(id);
      if (done.isInvited === true) invited += 1;
      ended += done.ended ?? 0;
    }
    return {
      changed,
      message: withEndedInvitations(deps, messages.many[deed](changed.length), { ended, invited }),
    };
  });
}

async function change(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  {
    before,
    deed,
    school,
    administrators,
    unconfirmed,
  }: Given & {
    before: Account;
    school: number;
    administrators: readonly number[];
  },
): Promise<Done> {
  if (deed === 'approve') return approveEverywhere(trx, deps, acting, before, unconfirmed);
  if (deed === 'leave') return leave(trx, acting, before, school);
  if (deed === 'join') return join(trx, deps, acting, before, { school, unconfirmed });
  const isActive = deed === 'activate';
  const isChanged = await setActive(trx, acting, before, { isActive, administrators });
  if (isChanged) await recordChange(trx, acting, before, auditedFields({ ...before, isActive }));
  return { isChanged, ended: await endInvitesBeyond(trx, acting, before.id) };
}

async function requireSchool(trx: Trx, { viewer }: Acting, schoolId: number | null | undefined) {
  const [known] = schoolId ? await existingSchoolIds(trx, [schoolId]) : [];
  if (known === undefined) {
    throw errors.invalid(messages.schoolRequired, { schoolId: messages.schoolRequired });
  }
  rejectOtherSchools(viewer, [known]);
  return known;
}

async function join(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  before: Account,
  { school, unconfirmed }: { school: number } & Pick<Given, 'unconfirmed'>,
): Promise<Done> {
  if (before.schools.some(({ id }) => id === school)) {
    await requireConfirmed(trx, before, { schoolIds: [school], unconfirmed });
    await approve(trx, acting, before.id, school);
    await signIns().endAssignedPasswords(trx, deps, acting, [
      { userId: before.id, gift: { schoolIds: [school] } },
    ]);
    return { isChanged: false };
  }
  const { joined } = await addToSchools(trx, deps, acting, before, { schoolIds: [school], unconfirmed });
  if (joined.length === 0) return { isChanged: false, isInvited: true };
  await countVersion(trx, before.id);
  const schoolIds = [...before.schools.map(({ id }) => id), school];
  await recordChange(trx, acting, before, { ...auditedFields(before), schoolIds });
  return { isChanged: true };
}

async function leave(trx: Trx, acting: Acting, before: Account, school: number): Promise<Done> {
  requirePermission(acting.viewer, 'membership', before);
  const others = before.schools.filter(({ id }) => id !== school);
  // A volunteer belongs to at least one school.
  const mayLeave = others.length > 0 || isDistrictAdministrator(before) || before.grants.length > 0;
  if (others.length === before.schools.length || !mayLeave) return { isChanged: false };
  await leaveSchools(trx, before.id, [school]);
  await countVersion(trx, before.id);
  const schoolIds = others.map(({ id }) => id);
  await recordChange(trx, acting, before, { ...auditedFields(before), schoolIds });
  return { isChanged: true };
}

// Approves the user at the schools where the viewer manages them, and changes nothing at other schools.
async function approveEverywhere(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  before: Account,
  unconfirmed: Given['unconfirmed'],
): Promise<Done> {
  requirePermission(acting.viewer, 'membership', before);
  const waiting = (await unapprovedUsers(trx, [before.id], acting.viewer.schools)).get(before.id) ?? [];
  const schoolIds = waiting.map(({ id }) => id);
  await requireConfirmed(trx, before, { schoolIds, unconfirmed });
  let isChanged = false;
  for (const id of schoolIds) isChanged = (await approve(trx, acting, before.id, id)) || isChanged;
  await signIns().endAssignedPasswords(trx, deps, acting, [{ userId: before.id, gift: { schoolIds } }]);
  return { isChanged };
}

// Lets the user see the school's photos if the district shows them to approved members only. It cannot be undone.
async function approve(
  trx: Trx,
  { viewer, request }: Acting,
  userId: number,
  schoolId: number,
): Promise<boolean> {
  if (!(await approveMember(trx, userId, schoolId))) return false;
  const approval = { action: 'membership.approve', subject: 'user', subjectId: userId, schoolId } as const;
  await recordEvent(trx, actorOf(viewer, request), approval);
  return true;
}

async function recordChange(trx: Trx, { viewer, request }: Acting, before: Account, after: object) {
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'account.change',
    subject: 'user',
    subjectId: before.id,
    before: auditedFields(before),
    after,
  });
}
