import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { usePublicSchools } from '#features/schools/web/api.ts';
import type { PersonContact } from '#features/users/contract.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import { fullName } from '#shared/person-name.ts';
import { useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { BulkLetters } from './admin-bulk-letters.tsx';
import { LettersPanel } from './letters-panel.tsx';

type Picked = Pick<PersonContact, 'id' | 'firstName' | 'lastName'>;

/** Service letters of others: of one person with those made so far, or of many at once. */
export function AdminLetters({ district }: { district: District }) {
  const { t } = useTranslation();
  const may = useCan();
  const schools = usePublicSchools();
  const [isMany, setIsMany] = useState(false);
  const seen = (schools.data ?? []).filter(({ id }) => may('see people', id));
  const issuing = seen.filter(({ id }) => may('issue letters', id));
  return (
    <section className="flex max-w-184 flex-col gap-5">
      <h2 className="text-2xl font-semibold">{t('service-letters:title')}</h2>
      {issuing.length > 0 && (
        <FilterPills
          label={t('service-letters:title')}
          choices={[
            { value: false, text: t('service-letters:forOne') },
            { value: true, text: t('service-letters:forMany') },
          ]}
          value={isMany}
          onChange={setIsMany}
        />
      )}
      {isMany ? (
        <BulkLetters schools={issuing} district={district} />
      ) : (
        <OnePerson schools={seen} district={district} />
      )}
    </section>
  );
}

function OnePerson({ schools, district }: { schools: readonly PublicSchool[]; district: District }) {
  const { t } = useTranslation();
  const may = useCan();
  const [person, setPerson] = useState<Picked>();
  if (person === undefined) return <UserPicker onPick={setPerson} />;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 ref={focusOn} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-none">
          {t('service-letters:lettersOf', { name: fullName(person) })}
        </h3>
        <Button onPress={() => setPerson(undefined)}>{t('service-letters:another')}</Button>
      </div>
      <LettersPanel
        key={person.id}
        userId={person.id}
        schools={schools}
        schoolId={(schools.length === 1 ? schools[0]?.id : undefined) ?? null}
        district={district}
        mayWithdraw={may('withdraw letters')}
      />
    </div>
  );
}

function focusOn(heading: HTMLElement | null) {
  heading?.focus();
}
