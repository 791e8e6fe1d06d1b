import type { PersonRef } from '#features/users/contract.ts';
import { requirePermission } from '#features/users/server/account-permissions.ts';
import { accountsByIds, lockAdministrators } from '#features/users/server/accounts.ts';
import { rejectDeletion } from '#features/users/server/admin-users.ts';
import { removeManyFromSchools, removeUnusedAccounts } from '#features/users/server/bulk-accounts.ts';
import { type AuditEvent, recordEvent, recordEvents } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { lockRow } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { describeCounts } from '#server/http/reference-check.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { keptUnderHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds, usersUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { errors, httpErrorMessage } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { IMPORT, messages, type UserImport } from '../contract.ts';
import { importCounts, requireImport } from './actions.ts';
import {
  type CreatedPerson,
  findMembershipsGrantedBy,
  findPeopleCreatedBy,
  type GrantedMembership,
  lockPeopleOfImport,
  markUndone,
} from './store.ts';

type KeptPerson = Readonly<{ user: PersonRef; reason: Message }>;

/**
 * Undoes an import, once and within thirty days: deletes the accounts it created and removes the memberships it added. Stays
 * with a reason: a person who used the account or logged hours at the school, is under a legal hold, or could not be deleted
 * or removed by the viewer directly; and a membership at a person's only school.
 */
export function undoUserImport(deps: Deps, { viewer, request }: Acting, id: number) {
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    const administrators = await lockAdministrators(trx);
    await lockRow(trx, 'user_imports', id);
    await lockPeopleOfImport(trx, id);
    const before = await requireImport(trx, { viewer, request }, id);
    if (before.undoneAt !== null) throw errors.conflict(messages.undoneAlready);
    if (!before.canUndo) throw errors.conflict(messages.tooOld);
    const people = await removePeople(trx, viewer, administrators, id);
    const memberships = await removeMemberships(trx, viewer, before);
    await markUndone(trx, id, request.at);
    const done = { people: people.removed.length, memberships: memberships.removed.length };
    const kept = [...people.kept, ...memberships.kept];
    const actor = actorOf(viewer, request);
    await recordEvents(trx, actor, [
      ...people.removed.map((person) => accountDeletion(person, id)),
      ...memberships.removed.map((given) => membershipRemoval(given, id)),
    ]);
    await recordEvent(trx, actor, {
      action: 'users.import-undo',
      subject: 'user-import',
      subjectId: id,
      after: { ...done, kept: kept.length },
    });
    const things = describeCounts(deps, importCounts(done));
    return {
      userImport: await requireImport(trx, { viewer, request }, id),
      kept: kept
        .slice(0, IMPORT.listed)
        .map(({ user, reason }) => ({ user, reason: translate(deps, reason) })),
      keptCount: kept.length,
      message: translate(deps, things === '' ? messages.undoneNothing : messages.undone(things)),
    };
  });
}

async function removePeople(trx: Trx, viewer: Viewer, administrators: readonly number[], id: number) {
  const people = await findPeopleCreatedBy(trx, id);
  const ids = people.map((person) => person.id);
  const [underHold, accounts] = [await usersUnderLegalHold(trx, ids), await accountsByIds(trx, ids)];
  const removed: CreatedPerson[] = [];
  const kept: KeptPerson[] = [];
  let staying = administrators;
  for (const person of people) {
    const account = accounts.get(person.id);
    if (account === undefined) continue;
    const reason = underHold.has(person.id)
      ? keptUnderHold
      : (httpErrorMessage(() => rejectDeletion(viewer, staying, account)) ?? reasonToStay(person));
    if (reason !== undefined) kept.push({ user: person, reason });
    else {
      removed.push(person);
      staying = staying.filter((one) => one !== person.id);
    }
  }
  await removeUnusedAccounts(
    trx,
    removed.map((person) => person.id),
  );
  return { removed, kept };
}

function reasonToStay(person: CreatedPerson): Message | undefined {
  if (person.hasSignedIn) return messages.keptSignedIn;
  if (person.hasRecords) return messages.keptRecords;
  return person.hasPassword ? messages.keptPassword : undefined;
}

async function removeMemberships(trx: Trx, viewer: Viewer, { id, importedAt }: UserImport) {
  const removed: GrantedMembership[] = [];
  const kept: KeptPerson[] = [];
  const left = new Map<number, number>();
  const memberships = await findMembershipsGrantedBy(trx, id, importedAt as Instant);
  const ids = [...new Set(memberships.map(({ user }) => user.id))];
  const [underHold, accounts] = [await usersUnderLegalHold(trx, ids), await accountsByIds(trx, ids)];
  for (const given of memberships) {
    const schools = left.get(given.user.id) ?? given.schools;
    const account = accounts.get(given.user.id);
    if (account === undefined) continue;
    const refusal = httpErrorMessage(() => requirePermission(viewer, 'membership', account));
    const isLast = !isDistrictAdministrator(given.user) && schools === 1 && !given.wasPending;
    if (underHold.has(given.user.id)) kept.push({ user: given.user, reason: keptUnderHold });
    else if (refusal !== undefined) kept.push({ user: given.user, reason: refusal });
    else if (given.hasHoursSince) kept.push({ user: given.user, reason: messages.keptHoursAt(given.school) });
    else if (isLast) kept.push({ user: given.user, reason: messages.keptLastSchool(given.school) });
    else {
      removed.push(given);
      left.set(given.user.id, schools - 1);
    }
  }
  await removeManyFromSchools(
    trx,
    removed.map(({ user, schoolId, wasPending }) => ({ userId: user.id, schoolId, wasPending })),
  );
  return { removed, kept };
}

function accountDeletion(person: CreatedPerson, importId: number): AuditEvent {
  const { id, email, firstName, lastName } = person;
  return {
    action: 'account.delete',
    subject: 'user',
    subjectId: id,
    before: { email, firstName, lastName, importId },
  };
}

function membershipRemoval({ user, schoolId }: GrantedMembership, importId: number): AuditEvent {
  return { action: 'membership.remove', subject: 'user', subjectId: user.id, schoolId, before: { importId } };
}
