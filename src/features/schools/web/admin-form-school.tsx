import { type ReactNode, useState } from 'react';
import type { Id } from '#shared/id.ts';
import type { Capability } from '#shared/permissions.ts';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Select } from '#web/ui/select.tsx';
import type { PublicSchool } from '../contract.ts';
import { usePermittedSchools } from './admin-permitted-schools.ts';

type AtSchoolProps = {
  /** The school of the list or of the edited record. In a list of all schools, the user selects one. */
  school: PublicSchool | Id | undefined;
  /** The permission the form needs at the school. */
  needs: Capability;
  children: (school: PublicSchool) => ReactNode;
};

/** Wraps a form that is about one school. */
export function FormSchool({ school: given, needs, children }: AtSchoolProps) {
  const { t } = useTranslation();
  const schools = usePermittedSchools(needs);
  const [chosen, setChosen] = useState<Id>();
  const leave = useLeaveArea();
  if (typeof given === 'object') return children(given);
  const school = schools.data?.find(({ id }) => id === (given ?? chosen)) ?? schools.preset;
  return (
    <>
      {given === undefined && schools.preset === undefined && (
        <div className="pb-5">
          <Select
            label={t('schools:one')}
            name="schoolId"
            value={String(chosen ?? '')}
            onChange={(value) => leave(() => setChosen(Number(value) || undefined))}
            prompt={t('schools:chooseOne')}
            choices={(schools.data ?? []).map(({ id, name }) => ({ value: String(id), text: name }))}
          />
        </div>
      )}
      {school !== undefined && (
        <div key={school.id} className="contents">
          {children(school)}
        </div>
      )}
    </>
  );
}
