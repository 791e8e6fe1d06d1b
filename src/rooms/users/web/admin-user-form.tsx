import { type ReactNode, useState } from 'react';
import type { District } from '#rooms/district/contract.ts';
import { SchoolCheckList } from '#rooms/schools/web/school-check-list.tsx';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { type FieldBinding, useForm } from '#web/lib/use-form.ts';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import type { RecordForm } from '#web/ui/admin/record-list.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { messages, UserInput } from '../admin-contract.ts';
import { LIMITS, LINKS, passwordProblem, type Role, type User } from '../contract.ts';
import { type NamedUser, useSaveUser, useWaiting } from './admin-api.ts';
import type { ErasingProps } from './admin-part.ts';
import { ReadyLinkDialog } from './admin-ready-link.tsx';
import { NameFields } from './name-fields.tsx';

type UserFormProps = RecordForm<NamedUser> & {
  viewer: User;
  district: District;
  onAddSchool: () => void;
  erasing: (given: ErasingProps) => ReactNode;
};

type UserValues = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  role: Role;
  isActive: boolean;
  schoolIds: number[];
};

/** The form for an account. Nobody can delete, deactivate or demote themselves (decisions: who may do what). */
export function UserForm(props: UserFormProps) {
  const { opened, onClose, onDelete, onReload, viewer, district, onAddSchool, erasing } = props;
  const { t, say } = useText();
  const save = useSaveUser();
  const [isErasing, setIsErasing] = useState(false);
  const [link, setLink] = useState<{ email: string; link: string }>();
  const hasNoMail = useWaiting().data?.lettersInFolder === true;
  const user = opened.kind === 'edit' ? opened.row : undefined;
  const isSelf = user?.id === viewer.id;
  const initial: UserValues = {
    firstName: user?.firstName ?? '',
    lastName: user?.lastName ?? '',
    email: user?.email ?? '',
    password: '',
    role: user?.role ?? 'user',
    isActive: user?.isActive ?? true,
    schoolIds: user?.userSchools.map(({ school }) => school.id) ?? [],
  };
  const form = useForm({
    schema: UserInput,
    initial,
    check: ({ password, role, schoolIds }) => ({
      ...(password === '' ? {} : { password: passwordProblem(password, district.passwordMinLength) }),
      ...(role === 'user' && schoolIds.length === 0 ? { schoolIds: messages.schoolRequired } : {}),
    }),
    send: async ({ password, role, isActive, ...body }) => {
      const { message, link } = await save.mutateAsync({
        user,
        body: {
          ...body,
          ...(password ? { password } : {}),
          ...(isSelf ? {} : { role, isActive }),
        },
      });
      notify.success(message);
      if (link === null) onClose();
      else setLink({ email: body.email, link });
    },
  });
  const role = form.field('role');
  const blankHint = hasNoMail ? 'users:passwordBlankNoMail' : 'users:passwordBlankNew';
  return (
    <>
      <PanelForm
        form={form}
        saveText={t(user === undefined ? 'users:create' : 'web:save')}
        onCancel={onClose}
        {...(user === undefined ? {} : { onReload: () => void onReload(user) })}
        {...(user === undefined || isSelf
          ? {}
          : { deleteText: t('users:deleteTitle'), onDelete: () => onDelete(user) })}
      >
        <NameFields field={form.field} />
        <TextField
          {...form.field('email')}
          label={t('users:email')}
          type="email"
          maxLength={LIMITS.email}
          autoComplete="off"
          isRequired
        />
        {isSelf ? (
          <p className="text-soft">{say(messages.ownPassword)}</p>
        ) : (
          <TextField
            {...form.field('password')}
            label={t('users:password')}
            hint={t(user === undefined ? blankHint : 'users:passwordBlankEdit')}
            type="password"
            maxLength={LIMITS.password}
            autoComplete="new-password"
          />
        )}
        {!isSelf && <RoleSelect field={role} />}
        <SchoolCheckList {...form.field('schoolIds')} label={t('users:schools')} onAddSchool={onAddSchool} />
        {isSelf ? (
          <p className="text-soft">{say(messages.ownRole)}</p>
        ) : (
          <div className="-mx-2">
            <Checkbox
              isSelected={form.values.isActive}
              onChange={(isActive) => form.set('isActive', isActive)}
            >
              {t('users:isActive')}
            </Checkbox>
          </div>
        )}
        {user !== undefined && !isSelf && (
          <div>
            <LinkButton onPress={() => setIsErasing(true)}>{t('users:eraseKeepHours')}</LinkButton>
          </div>
        )}
      </PanelForm>
      <AccountLink made={link} onClose={onClose} />
      {isErasing &&
        user !== undefined &&
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

function RoleSelect({ field }: { field: FieldBinding<Role> }) {
  const { t } = useText();
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

/** The link to choose a password, which no letter brings to its person. */
function AccountLink({
  made,
  onClose,
}: {
  made: { email: string; link: string } | undefined;
  onClose: () => void;
}) {
  const { t } = useText();
  return (
    <ReadyLinkDialog
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
