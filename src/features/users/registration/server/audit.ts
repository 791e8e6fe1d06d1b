import { recordEvent } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { fieldsOf, withoutFields } from '#shared/entity-fields.ts';
import { ownUser } from '../../server/current-account.ts';
import { USER_FIELDS } from '../../user-fields.ts';

/** Every new account is active. */
const RECORDED = withoutFields(USER_FIELDS, 'isActive');

/** Records a new account in the audit log. */
export async function recordRegistration(trx: Trx, request: Request, id: number): Promise<void> {
  const user = await ownUser(trx, id);
  const schoolIds = user.schools.map((school) => school.id);
  const pendingSchoolIds = user.pendingSchools.map((school) => school.id);
  await recordEvent(
    trx,
    { ...actorOf(undefined, request), userId: id },
    {
      action: 'account.register',
      subject: 'user',
      subjectId: id,
      after: {
        ...fieldsOf(RECORDED, user),
        ...(user.language === null ? {} : { language: user.language }),
        schoolIds,
        pendingSchoolIds,
      },
    },
  );
}
