import { usePublicSchools } from '#features/schools/web/api.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { useCan } from '#web/api/permissions.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { CollapsibleFilters } from '#web/ui/admin/collapsible-filters.tsx';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import {
  LISTED_ROLES,
  type ListedRole,
  type listUsers,
  SIGN_IN_CHOICES,
  STATES,
  USER_ORDERS,
  USER_SORTS,
  type UserOrder,
  type UserSort,
} from '../admin-contract.ts';
import { ROLE_TEXTS } from '../roles/web/admin-assignable-roles.ts';

/** The filters of the user list. */
export type UserFilters = Pick<
  QueryOf<typeof listUsers>,
  'role' | 'schoolId' | 'state' | 'lastSignIn' | 'photos'
>;

export const NO_FILTERS: UserFilters = {};

/** Whether any filter is set. */
export function isNarrowed(filters: UserFilters): boolean {
  return countOf(filters) > 0;
}

function countOf(filters: UserFilters): number {
  return Object.values(filters).filter((value) => value !== undefined).length;
}

// Without 'user': on this screen, everyone who is not a district administrator is a volunteer or has a role.
const CHOICES: readonly (readonly [ListedRole, MessageKey])[] = [
  ['admin', 'users:roleDistrictAdmin'],
  ['school-admin', ROLE_TEXTS['school-admin']],
  ['coordinator', ROLE_TEXTS.coordinator],
  ['auditor', ROLE_TEXTS.auditor],
  ['volunteer', 'users:roleVolunteer'],
];

/** The sort order of the user list. */
export type Sorting = Readonly<{ sortBy: UserSort; sortOrder: UserOrder }>;

type PeopleFiltersProps = {
  filters: UserFilters;
  /** Whether the district shows photos to approved members only. */
  hidesPhotos: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  onChange: (filters: UserFilters) => void;
};

const SORT_TEXTS = { name: 'users:name', email: 'users:email', lastLogin: 'users:lastLogin' } as const;

/**
 * Filters the user list by role, school, status, last sign-in and hidden photos. Offers only schools whose users the viewer may
 * see.
 */
export function UsersFilters({ filters, hidesPhotos, sorting, onSort, onChange }: PeopleFiltersProps) {
  const { t } = useTranslation();
  const may = useCan();
  const schools = (usePublicSchools().data ?? []).filter(({ id }) => may('see people', id));
  const { role, schoolId, state, lastSignIn } = filters;
  return (
    <CollapsibleFilters count={countOf(filters)} isBeside>
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
      {(hidesPhotos || filters.photos !== undefined) && (
        <SelectChip
          label={t('users:photosFilter')}
          all={t('users:photosAnyone')}
          value={filters.photos ?? ''}
          onChange={(value) => onChange({ ...filters, photos: value === 'hidden' ? value : undefined })}
          choices={[{ value: 'hidden', text: t('users:photosHidden') }]}
        />
      )}
      {/* Phones have no column headers. */}
      <span className="flex flex-wrap gap-2 sm:hidden">
        <SelectChip
          label={t('users:sortUsers')}
          value={sorting.sortBy}
          onChange={(value) =>
            onSort({ ...sorting, sortBy: USER_SORTS.find((one) => one === value) ?? 'name' })
          }
          choices={USER_SORTS.map((one) => ({ value: one, text: t(SORT_TEXTS[one]) }))}
        />
        <SelectChip
          label={t('users:sortOrderUsers')}
          value={sorting.sortOrder}
          onChange={(value) =>
            onSort({ ...sorting, sortOrder: USER_ORDERS.find((one) => one === value) ?? 'asc' })
          }
          choices={[
            { value: 'asc', text: t('users:ascending') },
            { value: 'desc', text: t('users:descending') },
          ]}
        />
      </span>
      <LinkButton isDisabled={!isNarrowed(filters)} onPress={() => onChange(NO_FILTERS)}>
        {t('web:resetAll')}
      </LinkButton>
    </CollapsibleFilters>
  );
}
