import type { Id } from '#base/id.ts';
import { usePublicSchools } from '#rooms/schools/web/api.ts';
import { useMay } from '#web/lib/may.ts';
import { type TextKey, useText } from '#web/lib/text.ts';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { FilterFold } from '#web/ui/admin/filter-fold.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import {
  LISTED_ROLES,
  type ListedRole,
  SIGN_IN_CHOICES,
  type SignInChoice,
  STATES,
  type State,
} from '../admin-contract.ts';
import { ROLE_TEXTS } from './admin-giving.ts';

/** What the list of people is narrowed to. */
export type UserFilters = Readonly<{
  role?: ListedRole | undefined;
  schoolId?: Id | undefined;
  state?: State | undefined;
  lastSignIn?: SignInChoice | undefined;
}>;

export const NO_FILTERS: UserFilters = {};

/** Whether anything is left out. */
export function isNarrowed(filters: UserFilters): boolean {
  return countOf(filters) > 0;
}

function countOf(filters: UserFilters): number {
  return Object.values(filters).filter((value) => value !== undefined).length;
}

// 'user' is left out: on the screen everybody who is no district administrator is a volunteer, or has a role.
const CHOICES: readonly (readonly [ListedRole, TextKey])[] = [
  ['admin', 'users:roleDistrictAdmin'],
  ['school-admin', ROLE_TEXTS['school-admin']],
  ['coordinator', ROLE_TEXTS.coordinator],
  ['auditor', ROLE_TEXTS.auditor],
  ['volunteer', 'users:roleVolunteer'],
];

type PeopleFiltersProps = { filters: UserFilters; onChange: (filters: UserFilters) => void };

/** Narrows the list of people to a role, a school, a state and a last sign-in; only schools whose people the viewer sees are offered. */
export function PeopleFilters({ filters, onChange }: PeopleFiltersProps) {
  const { t } = useText();
  const may = useMay();
  const schools = (usePublicSchools().data ?? []).filter(({ id }) => may('see people', id));
  const { role, schoolId, state, lastSignIn } = filters;
  return (
    <FilterFold count={countOf(filters)} isBeside>
      <SelectChip
        label={t('users:role')}
        all={t('users:allRoles')}
        value={role ?? ''}
        onChange={(value) => onChange({ ...filters, role: LISTED_ROLES.find((one) => one === value) })}
        choices={CHOICES.map(([value, text]) => ({ value, text: t(text) }))}
      />
      {schools.length > 1 && (
        <SelectChip
          label={t('users:filterSchool')}
          all={t('users:everySchool')}
          value={schoolId === undefined ? '' : String(schoolId)}
          onChange={(value) => onChange({ ...filters, schoolId: value === '' ? undefined : Number(value) })}
          choices={schools.map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      )}
      <SelectChip
        label={t('users:status')}
        all={t('users:anyState')}
        value={state ?? ''}
        onChange={(value) => onChange({ ...filters, state: STATES.find((one) => one === value) })}
        choices={STATES.map((one) => ({ value: one, text: t(`users:${one}`) }))}
      />
      <SelectChip
        label={t('users:lastLogin')}
        all={t('users:anyTime')}
        value={lastSignIn ?? ''}
        onChange={(value) =>
          onChange({ ...filters, lastSignIn: SIGN_IN_CHOICES.find((one) => one === value) })
        }
        choices={SIGN_IN_CHOICES.map((one) => ({ value: one, text: t(`users:${one}`) }))}
      />
      <LinkButton isDisabled={!isNarrowed(filters)} onPress={() => onChange(NO_FILTERS)}>
        {t('web:resetAll')}
      </LinkButton>
    </FilterFold>
  );
}
