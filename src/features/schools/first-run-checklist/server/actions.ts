import { recordEvent } from '#server/audit-log.ts';
import { readBackupState } from '#server/backup/backup-status.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { UNREADABLE_EMAIL_SERVER } from '#server/email/mailer.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { DEFAULT_SENDER_NAMES } from '#shared/email-settings.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import {
  isAccessDecided,
  lockSettings,
  readFirstRunProgress,
  readStoredDistrict,
  saveFirstRunProgress,
} from '../../district-settings/server/settings.ts';
import { type changeFirstRun, type FirstRun, messages, STEPS, type Step } from '../contract.ts';
import { readFirstRunFacts } from './store.ts';

/** Returns the district's progress on the first-run checklist. */
export async function readFirstRun(deps: Deps, userId: number, db: Db = deps.database.db): Promise<FirstRun> {
  const { isOpen, putAway } = await readFirstRunProgress(db);
  const done = await findDoneSteps(deps, userId, db);
  const steps = STEPS.map((name) => ({ name, isDone: done[name], isPutAway: putAway.includes(name) }));
  return { isOpen: isOpen && steps.some((step) => !step.isDone && !step.isPutAway), steps };
}

/** Opens or dismisses the checklist, or some of its steps. */
export function saveFirstRun(deps: Deps, { viewer, request }: Acting, change: BodyOf<typeof changeFirstRun>) {
  return transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const before = await readFirstRunProgress(trx);
    const wanted = change.putAway;
    const after = {
      isOpen: change.isOpen ?? before.isOpen,
      putAway: wanted === undefined ? before.putAway : STEPS.filter((step) => wanted.includes(step)),
    };
    if (!isUnchanged(before, after)) {
      await saveFirstRunProgress(trx, after);
      await recordEvent(trx, actorOf(viewer, request), {
        action: 'district.first-run',
        subject: 'setting',
        subjectId: null,
      });
    }
    return { ...(await readFirstRun(deps, viewer.userId, trx)), message: translate(deps, messages.saved) };
  });
}

async function findDoneSteps({ config }: Deps, userId: number, db: Db): Promise<Record<Step, boolean>> {
  const facts = await readFirstRunFacts(db, userId);
  const { lastAt } = await readBackupState(db);
  const stored = await readStoredDistrict(db);
  return {
    you: !(
      facts.firstName === DEFAULT_SENDER_NAMES.firstName && facts.lastName === DEFAULT_SENDER_NAMES.lastName
    ),
    district:
      config.districtName !== DEFAULT_SENDER_NAMES.districtName &&
      config.supportEmail !== DEFAULT_SENDER_NAMES.supportEmail,
    school: facts.hasSchool,
    activities: facts.hasActivity,
    access: isAccessDecided(config, stored),
    timeZone: config.setByServer.includes('timeZone') || stored.timeZone !== undefined || facts.hasEntry,
    mail: config.smtpUrl !== undefined && config.smtpUrl !== UNREADABLE_EMAIL_SERVER,
    people: facts.hasOthers,
    backup: config.backup !== undefined || lastAt !== null,
  };
}
