import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Id } from '#shared/id.ts';
import { type GrantRole, SCHOOL_ROLES } from '#shared/permissions.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Grant, Role } from '../../contract.ts';
import { describeRole } from '../role-description.ts';
import { ROLE_TEXTS, useAssignableRoles } from './admin-assignable-roles.ts';

/** A role in the form. A null school means all schools, and a blank role is not chosen yet. */
export type ChosenGrant = Readonly<{ role: GrantRole | ''; schoolId: Id | null | undefined }>;

/** Converts an account's grants for the form. */
export function chosenOf(grants: readonly Grant[]): ChosenGrant[] {
  return grants.map(({ role, school }) => ({ role, schoolId: school?.id ?? null }));
}

type GrantsEditorProps = FieldBinding<ChosenGrant[]> & {
  rowError: (at: number) => string | undefined;
  /** Displayed instead of the roles that can be added. */
  note?: string | undefined;
  /** Read-only: the roles are the viewer's own, or those of a user they may not change. */
  isFixed?: boolean;
};

const ALL = 'all';

/** A user's roles at schools, each with a sentence about its permissions. Offers only roles that the viewer may grant. */
export function GrantsEditor({ value, onChange, rowError, note, isFixed = false }: GrantsEditorProps) {
  const { t } = useTranslation();
  const { mayGive, schools } = useAssignableRoles();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const first = !mayGive(null) && schools.length === 1 ? schools[0]?.id : undefined;
  const canAdd = !isFixed && note === undefined;

  function add() {
    flushSync(() => onChange([...value, { role: '', schoolId: first }]));
    list.current?.querySelector<HTMLElement>('li:last-child select')?.focus();
  }

  function change(at: number, next: ChosenGrant) {
    flushSync(() => onChange(value.map((other, place) => (place === at ? next : other))));
    // The new sentence about the role's permissions appears below.
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }

  function take(at: number) {
    flushSync(() => onChange(value.filter((_, other) => other !== at)));
    adder.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in a flex column
    <div role="group" aria-labelledby={id} className="flex flex-col gap-2">
      <span id={id} className="font-medium">
        {t('users:grantsTitle')}
      </span>
      {note !== undefined && <p className="text-soft">{note}</p>}
      {value.length === 0 && note === undefined && <p className="text-soft">{t('users:grantsNone')}</p>}
      <ul ref={list} className="flex flex-col gap-2 empty:hidden">
        {value.map((grant, at) => {
          const isKept = isFixed || (grant.schoolId !== undefined && !mayGive(grant.schoolId));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other key than its place
            <li key={at} className="scroll-mb-28 rounded-xl border border-line p-3">
              {isKept ? (
                <ReadOnlyGrant grant={grant}>{!isFixed && t('users:grantKept')}</ReadOnlyGrant>
              ) : (
                <GrantFields
                  grant={grant}
                  at={at}
                  error={rowError(at)}
                  onChange={(next) => change(at, next)}
                  onTake={() => take(at)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {canAdd && (
        <div>
          <Button ref={adder} icon={<Plus aria-hidden="true" className="size-5" />} onPress={add}>
            {t('users:grantAdd')}
          </Button>
        </div>
      )}
    </div>
  );
}

type GrantFieldsProps = {
  grant: ChosenGrant;
  at: number;
  error: string | undefined;
  onChange: (grant: ChosenGrant) => void;
  onTake: () => void;
};

function GrantFields({ grant, at, error, onChange, onTake }: GrantFieldsProps) {
  const { t } = useTranslation();
  const { mayGive, schools, nameOf } = useAssignableRoles();
  const { role, schoolId } = grant;
  const sentence = useSentence(grant);
  const isOpen = role === '' || schoolId === undefined;
  const choices = schools.map(({ id, name }) => ({ value: String(id), text: name }));
  const everywhere = { value: ALL, text: t('users:everySchool') };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 grow">
          <RoleSelect
            name={`grants.${at}.role`}
            value={role}
            onChange={(next) =>
              onChange({
                role: next,
                schoolId: schoolId === null && next !== 'auditor' ? undefined : schoolId,
              })
            }
            error={role === '' && error !== undefined ? t('users:grantRoleRequired') : undefined}
          />
        </div>
        <IconButton
          label={
            isOpen
              ? t('users:grantTakeNew')
              : t('users:grantTake', { role: t(ROLE_TEXTS[role]), school: nameOf(schoolId) })
          }
          icon={<X aria-hidden="true" className="size-5" />}
          isFramed
          onPress={onTake}
        />
      </div>
      <Select
        name={`grants.${at}.schoolId`}
        label={t('users:grantSchool')}
        hint={sentence}
        error={role === '' ? undefined : error}
        value={schoolId === undefined ? '' : schoolId === null ? ALL : String(schoolId)}
        onChange={(chosen) =>
          onChange({ role, schoolId: chosen === '' ? undefined : chosen === ALL ? null : Number(chosen) })
        }
        prompt={t('users:grantChooseSchool')}
        choices={role === 'auditor' && mayGive(null) ? [everywhere, ...choices] : choices}
      />
    </div>
  );
}

type RoleSelectProps = {
  name: string;
  value: GrantRole | '';
  onChange: (role: GrantRole | '') => void;
  hint?: string | undefined;
  error?: string | undefined;
};

/** Chooses a role at a school. */
export function RoleSelect({ name, value, onChange, hint, error }: RoleSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      name={name}
      label={t('users:role')}
      hint={hint}
      error={error}
      value={value}
      onChange={(chosen) => onChange(SCHOOL_ROLES.find((role) => role === chosen) ?? '')}
      prompt={t('users:chooseRole')}
      choices={SCHOOL_ROLES.map((role) => ({ value: role, text: t(ROLE_TEXTS[role]) }))}
    />
  );
}

/** Chooses whether a user is a district administrator. */
export function DistrictRoleSelect({ field }: { field: FieldBinding<Role> }) {
  const { t } = useTranslation();
  return (
    <Select
      {...field}
      label={t('users:role')}
      onChange={(value) => field.onChange(value === 'admin' ? 'admin' : 'user')}
      choices={[
        { value: 'user', text: t('users:roleUser') },
        { value: 'admin', text: t('users:roleAdmin') },
      ]}
    />
  );
}

// A read-only role, with the reason why the viewer cannot change it.
function ReadOnlyGrant({ grant, children }: { grant: ChosenGrant; children: ReactNode }) {
  const { t } = useTranslation();
  const { nameOf } = useAssignableRoles();
  const sentence = useSentence(grant);
  if (grant.role === '') return null;
  return (
    <div className="flex flex-col gap-0.5">
      <p className="font-medium wrap-anywhere">
        {t('users:grantAt', { role: t(ROLE_TEXTS[grant.role]), school: nameOf(grant.schoolId ?? null) })}
      </p>
      <p className="text-sm text-soft">
        {sentence} {children}
      </p>
    </div>
  );
}

// The description of a role, once it and its school are chosen.
function useSentence({ role, schoolId }: ChosenGrant): string | undefined {
  const text = useTranslation();
  const { nameOf } = useAssignableRoles();
  if (role === '' || schoolId === undefined) return undefined;
  return `${describeRole(role, schoolId === null ? null : nameOf(schoolId), text)}.`;
}
