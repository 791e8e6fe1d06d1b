import { record } from '#server/audit.ts';
import type { Trx } from '#server/db/connect.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { ownUser } from './account-in-transaction.ts';

/** Records a new account in the audit log. */
export async function recordRegistration(trx: Trx, request: Request, id: number): Promise<void> {
  const { email, firstName, lastName, role, schools, pendingSchools } = await ownUser(trx, id);
  const schoolIds = schools.map((school) => school.id);
  const pendingSchoolIds = pendingSchools.map((school) => school.id);
  await record(
    trx,
    { ...actorOf(undefined, request), userId: id },
    {
      action: 'account.register',
      subject: 'user',
      subjectId: id,
      after: { email, firstName, lastName, role, schoolIds, pendingSchoolIds },
    },
  );
}
