import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import type { District } from '#features/schools/district-settings/contract.ts';
import { SchoolCheckboxes } from '#features/schools/web/school-checkboxes.tsx';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { failureText } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import type { EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { PanelActions } from '#web/ui/admin/side-panel.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages, type RestrictedAction, UserInput } from '../admin-contract.ts';
import { LIMITS, LINKS, passwordProblem, type Role, type User } from '../contract.ts';
import { GuestVolunteerForm } from '../guest-volunteers/web/admin-guest-volunteer-form.tsx';
import { useAssignableRoles } from '../roles/web/admin-assignable-roles.ts';
import { useNewPermissionsConfirm } from '../roles/web/admin-new-permissions-confirm.tsx';
import {
  type ChosenGrant,
  chosenOf,
  DistrictRoleSelect,
  GrantsEditor,
} from '../roles/web/admin-roles-editor.tsx';
import { ActiveCheckbox } from './admin-active-checkbox.tsx';
import { type NamedUser, useChangeManyUsers, useSaveUser, useWaiting } from './admin-api.ts';
import { NewLink, ShareableLinkDialog } from './admin-shareable-link.tsx';
import { useUnverifiedEmailConfirm } from './admin-unverified-email-confirm.tsx';
import type { DeleteAccountProps, MergingProps } from './admin-users-props.ts';
import { NameFields } from './name-fields.tsx';

type UserFormProps = EditableListForm<NamedUser> & {
  viewer: User;
  district: District;
  onAddSchool: () => void;
  erasing: (given: DeleteAccountProps) => ReactNode;
  merging: (given: MergingProps) => ReactNode;
  twoFactorReset: (account: { id: number }) => ReactNode;
};

type UserValues = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  role: Role;
  isActive: boolean;
  schoolIds: number[];
  grants: ChosenGrant[];
};

/**
 * The form for an account. Administrators cannot delete, deactivate or demote themselves, or change an account with wider
 * rights (decisions: who may do what).
 */
export function UserForm(props: UserFormProps) {
  const { opened } = props;
  if (opened.kind !== 'edit') return <OpenUser {...props} />;
  if (opened.row.closed.includes('everything')) {
    return <ClosedUser user={opened.row} onClose={props.onClose} />;
  }
  return opened.row.isWalkIn ? <GuestVolunteer {...props} user={opened.row} /> : <OpenUser {...props} />;
}

function GuestVolunteer(props: UserFormProps & { user: NamedUser }) {
  const { user, viewer, district, erasing, merging, onClose, onDelete, onReload } = props;
  const may = useCan();
  const [link, setLink] = useState<{ email: string; link: string }>();
  const erase = may('run the district', 'all') && (
    <EraseLink user={user} onClose={onClose} erasing={erasing} />
  );
  function leave() {
    onClose();
    // The user's row is gone.
    setTimeout(listTitle.focus);
  }
  const merge = merging({ user, viewerId: viewer.id, timeZone: district.timeZone, onMerged: leave });
  return (
    <>
      <GuestVolunteerForm {...{ user, erase, merge, onClose, onDelete, onReload }} onLink={setLink} />
      <AccountLink made={link} onClose={onClose} />
    </>
  );
}

// Rendered if photos are hidden from the user, who has not been approved yet.
function PhotoApproval({
  user,
  schools,
  onDone,
}: {
  user: NamedUser;
  schools: readonly { name: string }[];
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const change = useChangeManyUsers();
  const { sendSure, question } = useUnverifiedEmailConfirm();
  const approve = () =>
    sendSure((said) => change.mutateAsync({ userIds: [user.id], count: 1, deed: 'approve', ...said })).then(
      ({ message }) => {
        notify.success(message);
        onDone();
      },
      (error: unknown) => notify.failure(failureText(error)),
    );
  return (
    <Notice>
      <p className="font-medium">
        {t('users:photosHiddenAt', { schools: schools.map(({ name }) => name).join(', ') })}
      </p>
      <p className="mb-3">{t('users:photosHiddenAbout')}</p>
      <Button onPress={() => void approve()} isBusy={change.isPending}>
        {t('users:approveMany')}
      </Button>
      {question}
    </Notice>
  );
}

// Long because it is the whole form: hooks, then one field after the other.
function OpenUser(props: UserFormProps) {
  const { opened, onClose, onDelete, onReload, viewer, district, onAddSchool, erasing } = props;
  const text = useTranslation();
  const { t, say } = text;
  const may = useCan();
  const { mayGive, schools } = useAssignableRoles();
  const save = useSaveUser();
  const unconfirmed = useUnverifiedEmailConfirm();
  const [link, setLink] = useState<{ email: string; link: string }>();
  const hasNoMail = useWaiting().data?.lettersInFolder === true;
  const user = opened.kind === 'edit' ? opened.row : undefined;
  const isSelf = user?.id === viewer.id;
  const isOfDistrict = may('run the district', 'all');
  const closed = (name: RestrictedAction) => user?.closed.includes(name) === true;
  const initial: UserValues = {
    firstName: user?.firstName ?? '',
    lastName: user?.lastName ?? '',
    email: user?.email ?? '',
    password: '',
    role: user?.role ?? 'user',
    isActive: user?.isActive ?? true,
    schoolIds:
      user === undefined ? onlyOf(schools, isOfDistrict) : user.schools.map(({ id }) => id).filter(mayGive),
    grants: chosenOf(user?.grants ?? []),
  };
  const check = ({ password, role, schoolIds, grants }: UserValues) => ({
    ...(password === '' ? {} : { password: passwordProblem(password, district.passwordMinLength) }),
    // Checked only for district administrators. For others, the user may belong to schools that they cannot see, so the server
    // checks.
    ...(role === 'user' && schoolIds.length === 0 && grants.length === 0 && isOfDistrict
      ? { schoolIds: messages.schoolRequired }
      : {}),
  });
  const form = useForm({
    schema: UserInput,
    initial,
    check,
    send: async ({ password, role, isActive, grants, ...body }) => {
      const change = {
        ...body,
        ...(password ? { password } : {}),
        ...(isSelf ? {} : { isActive }),
        ...(isSelf || !isOfDistrict ? {} : { role }),
        ...(isSelf ? {} : { grants }),
      };
      const { message, link } = await unconfirmed.sendSure((said) =>
        save.mutateAsync({ user, body: { ...change, ...said } }),
      );
      notify.success(message);
      if (link === null) onClose();
      else setLink({ email: body.email, link });
    },
  });
  const { values } = form;
  const widening = useNewPermissionsConfirm({
    form,
    name: `${values.firstName} ${values.lastName}`.trim(),
    before: initial,
    after: values,
    isWhole: () => z.safeParse(UserInput, values).success && Object.keys(check(values)).length === 0,
  });
  const blankHint =
    user === undefined
      ? hasNoMail
        ? 'users:passwordBlankNoMail'
        : 'users:passwordBlankNew'
      : user.needsLink
        ? 'users:passwordBlankNone'
        : 'users:passwordBlankEdit';
  const mayLink = user?.needsLink && user.isActive && !isSelf && !closed('password');
  return (
    <>
      <PanelForm
        form={widening.form}
        saveText={t(user === undefined ? 'users:create' : 'web:save')}
        onCancel={onClose}
        {...(user === undefined ? {} : { onReload: () => void onReload(user) })}
        {...(user === undefined || isSelf || closed('deletion')
          ? {}
          : { deleteText: t('users:deleteTitle'), onDelete: () => onDelete(user) })}
      >
        {user?.photosHiddenAt !== undefined && (
          <PhotoApproval user={user} schools={user.photosHiddenAt} onDone={onClose} />
        )}
        {user !== undefined && mayLink && <NewLink {...{ user, hasNoMail }} onLink={setLink} />}
        <NameFields field={form.field} isReadOnly={closed('name')} />
        <TextField
          {...form.field('email')}
          label={t('users:email')}
          type="email"
          maxLength={LIMITS.email}
          autoComplete="off"
          isReadOnly={closed('email')}
          isRequired
        />
        {closed('name') && <p className="text-soft">{t('users:closedFields')}</p>}
        {user?.isEmailConfirmed === false && !hasNoMail && (
          <p className="text-soft">{t('users:addressNotConfirmed')}</p>
        )}
        {isSelf && <p className="text-soft">{say(messages.ownPassword)}</p>}
        {!isSelf && !closed('password') && (
          <TextField
            {...form.field('password')}
            label={t('users:password')}
            hint={t(blankHint)}
            type="password"
            maxLength={LIMITS.password}
            autoComplete="new-password"
          />
        )}
        {!isSelf && isOfDistrict && <DistrictRoleSelect field={form.field('role')} />}
        <SchoolCheckboxes
          {...form.field('schoolIds')}
          label={t('users:schools')}
          onAddSchool={onAddSchool}
          isOffered={mayGive}
        />
        <GrantsEditor
          {...form.field('grants')}
          rowError={(at) => form.rowError('grants', at)}
          note={noteOn(values.role, { isFixed: isSelf }, text)}
          isFixed={isSelf}
        />
        {user !== undefined && !isOfDistrict && <p className="text-soft">{t('users:otherSchools')}</p>}
        {!isSelf && (
          <ActiveCheckbox
            user={user}
            isActive={values.isActive}
            onChange={(isActive) => form.set('isActive', isActive)}
          />
        )}
        {user !== undefined && !isSelf && !closed('password') && props.twoFactorReset({ id: user.id })}
        {user !== undefined && !isSelf && isOfDistrict && (
          <EraseLink user={user} onClose={onClose} erasing={erasing} />
        )}
      </PanelForm>
      {widening.question}
      {unconfirmed.question}
      {/* Text typed since stays. */}
      <AccountLink made={link} onClose={user === undefined ? onClose : () => setLink(undefined)} />
    </>
  );
}

// An administrator of a single school adds users to that school.
function onlyOf(schools: readonly { id: number }[], isOfDistrict: boolean): number[] {
  return isOfDistrict || schools.length !== 1 ? [] : schools.map(({ id }) => id);
}

function noteOn(role: Role, { isFixed }: { isFixed: boolean }, { t }: Text): string | undefined {
  if (isFixed) return t('users:grantsOwn');
  return isDistrictAdministrator({ role }) ? t('users:grantsOfAdmin') : undefined;
}

// A read-only account with wider rights than the viewer's, with the reason.
function ClosedUser({ user, onClose }: { user: NamedUser; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex grow flex-col gap-5">
      <div className="flex grow flex-col gap-4">
        <Notice>{t('users:closedAccount', { name: user.name })}</Notice>
        <p>
          <span className="block font-medium">{user.name}</span>
          <span className="wrap-anywhere text-soft">{user.email}</span>
        </p>
        {user.grants.length > 0 && (
          <GrantsEditor
            name="grants"
            value={chosenOf(user.grants)}
            onChange={() => {}}
            rowError={() => undefined}
            isFixed
          />
        )}
      </div>
      <PanelActions message={undefined}>
        <Button onPress={onClose}>{t('web:close')}</Button>
      </PanelActions>
    </div>
  );
}

function EraseLink({
  user,
  onClose,
  erasing,
}: Pick<UserFormProps, 'onClose' | 'erasing'> & { user: NamedUser }) {
  const { t } = useTranslation();
  const [isErasing, setIsErasing] = useState(false);
  return (
    <>
      <div>
        <LinkButton onPress={() => setIsErasing(true)}>{t('users:eraseKeepHours')}</LinkButton>
      </div>
      {isErasing &&
        erasing({
          person: user,
          onDone: (message) => {
            onClose();
            notify.success(message);
            // The row that opened the dialog is gone.
            setTimeout(listTitle.focus);
          },
          onClose: () => setIsErasing(false),
        })}
    </>
  );
}

/** The link to choose a password, if it is not emailed. */
function AccountLink({
  made,
  onClose,
}: {
  made: { email: string; link: string } | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <ShareableLinkDialog
      title={t('users:accountReady')}
      ready={
        made && {
          link: made.link,
          message: t('users:accountWaits', { email: made.email, hours: LINKS.welcomeHours }),
          label: t('users:inviteLink', { email: made.email }),
        }
      }
      onClose={onClose}
    />
  );
}
