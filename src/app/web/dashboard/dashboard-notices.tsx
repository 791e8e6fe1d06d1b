import type { ReactNode } from 'react';
import { messages as schoolMessages } from '#features/schools/contract.ts';
import { FirstRunNotice } from '#features/schools/first-run-checklist/web/first-run-notice.tsx';
import type { User } from '#features/users/contract.ts';
import { WaitingForApproval } from '#features/users/registration/web/waiting-for-approval.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorBox, Notice } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import type { Schools } from './current-school.ts';

type DashboardNoticesProps = {
  user: User;
  schools: Schools;
  onChooseSchool: () => void;
  onAddSchool: () => void;
  onFirstSteps: () => void;
  /** Opens the Admin Panel; undefined for volunteers. */
  onAdmin: (() => void) | undefined;
};

/** Notices above or instead of the tabs while schools are loading, failed to load, are missing, or await approval. */
export function DashboardNotices(props: DashboardNoticesProps) {
  const { user, schools, onChooseSchool, onAddSchool, onFirstSteps, onAdmin } = props;
  const { say } = useTranslation();
  const isAdmin = user.role === 'admin';
  const isPending = user.pendingSchools.length > 0;
  const hasNone = schools.all?.length === 0;
  return (
    <>
      {schools.all === undefined && schools.retry === undefined && <SkeletonRows rows={6} isTall />}
      {schools.retry !== undefined && (
        <ErrorBox text={say(schoolMessages.failedToLoadRefresh)} onRetry={schools.retry} />
      )}
      {isPending && (
        <Spaced>
          <WaitingForApproval user={user} />
        </Spaced>
      )}
      {hasNone && isAdmin && (
        <Spaced>
          <FirstRunNotice onFirstSteps={onFirstSteps} onAddSchool={onAddSchool} />
        </Spaced>
      )}
      {hasNone && !isAdmin && !isPending && (
        <Spaced>
          <NoSchool onChoose={onChooseSchool} onAdmin={onAdmin} />
        </Spaced>
      )}
    </>
  );
}

function Spaced({ children }: { children: ReactNode }) {
  return <div className="my-4">{children}</div>;
}

type NoSchoolProps = { onChoose: () => void } & Pick<DashboardNoticesProps, 'onAdmin'>;

function NoSchool({ onChoose, onAdmin }: NoSchoolProps) {
  const { t } = useTranslation();
  return (
    <Notice>
      <p>{t(onAdmin ? 'users:noSchoolForStaff' : 'users:noSchool')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {onAdmin && <Button onPress={onAdmin}>{t('web:adminTitle')}</Button>}
        <Button onPress={onChoose}>{t('users:chooseSchool')}</Button>
      </div>
    </Notice>
  );
}
