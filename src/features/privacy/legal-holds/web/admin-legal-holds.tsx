import { useState } from 'react';
import { usePublicSchools } from '#features/schools/web/api.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import type { Instant } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type LegalHold, LIMITS, messages, NewHold } from '../../retention/contract.ts';
import { useLegalHolds, useLiftLegalHold, usePlaceLegalHold } from '../../retention/web/admin-api.ts';

type HoldsProps = { moment: (at: Instant) => string };

/** The active legal holds, with a button to lift each, and the lifted ones. */
export function LegalHolds({ moment }: HoldsProps) {
  const { t, say } = useTranslation();
  const list = useLegalHolds();
  const lift = useLiftLegalHold();
  const nameOf = useNames();
  const [isPlacing, setIsPlacing] = useState(false);
  const [lifting, setLifting] = useState<LegalHold>();
  const failure = say(messages.failedToLoadHolds);
  const title = t('retention:holds');
  return (
    <AdminSection
      title={title}
      aside={<Button onPress={() => setIsPlacing(true)}>{t('retention:addHold')}</Button>}
    >
      <p className="text-soft">{t('retention:holdsAbout')}</p>
      <QueryPlaceholder text={failure} query={list} rows={2} isTall />
      {list.data?.length === 0 && <p className="text-soft">{t('retention:noHolds')}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <QueueList label={title}>
          {list.data.map((hold) => (
            <HoldRow key={hold.id} hold={hold} moment={moment} onLift={() => setLifting(hold)} />
          ))}
        </QueueList>
      )}
      <ListEnd list={list} failure={failure} />
      <ConfirmDelete
        title={t('retention:liftTitle')}
        question={lifting && t('retention:liftQuestion', { name: nameOf(lifting) })}
        confirmText={t('retention:lift')}
        onConfirm={async () => {
          if (lifting === undefined) return;
          const { message } = await lift.mutateAsync(lifting.id);
          setLifting(undefined);
          notify.success(message);
          // The button that opened the dialog is gone.
          setTimeout(listTitle.focus);
        }}
        onClose={() => setLifting(undefined)}
      />
      <Dialog title={t('retention:addHold')} isOpen={isPlacing} onClose={() => setIsPlacing(false)}>
        {isPlacing && <LegalHoldForm onClose={() => setIsPlacing(false)} />}
      </Dialog>
    </AdminSection>
  );
}

type HoldRowProps = { hold: LegalHold; moment: (at: Instant) => string; onLift: () => void };

function HoldRow({ hold, moment, onLift }: HoldRowProps) {
  const { t } = useTranslation();
  const name = useNames()(hold);
  const isInForce = hold.liftedAt === null;
  return (
    <QueueRow
      title={
        <>
          <span className="min-w-0">{name}</span>
          <Badge tone={isInForce ? 'notice' : 'grey'}>
            {t(isInForce ? 'retention:inForce' : 'retention:over')}
          </Badge>
        </>
      }
      facts={[
        t('retention:placedBy', { name: fullName(hold.placedBy), at: moment(hold.placedAt) }),
        ...(hold.liftedAt === null || hold.liftedBy === null
          ? []
          : [t('retention:liftedBy', { name: fullName(hold.liftedBy), at: moment(hold.liftedAt) })]),
      ]}
      quote={hold.reason}
    >
      {isInForce && (
        <Button label={t('retention:liftOf', { name })} onPress={onLift}>
          {t('retention:lift')}
        </Button>
      )}
    </QueueRow>
  );
}

// Names the hold's person or school, by its ID if it was deleted.
function useNames() {
  const { t } = useTranslation();
  return ({ person, school }: LegalHold): string => {
    if (person === null) return school?.name || t('retention:formerSchool', { id: school?.id ?? 0 });
    return fullName(person).trim() || t('retention:formerAccount', { id: person.id });
  };
}

/** The form that places a legal hold on a person or a school. */
function LegalHoldForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const place = usePlaceLegalHold();
  const schools = usePublicSchools();
  const [about, setAbout] = useState<'person' | 'school'>('person');
  const [person, setPerson] = useState<string>();
  const form = useForm({
    schema: NewHold,
    initial: { userId: null as Id | null, schoolId: null as Id | null, reason: '' },
    send: async (hold) => {
      const { message } = await place.mutateAsync(hold);
      onClose();
      notify.success(message);
    },
  });
  const [userId, schoolId] = [form.field('userId'), form.field('schoolId')];
  const fault = userId.error ?? schoolId.error;
  function choose(id: Id | null, name: string | undefined) {
    userId.onChange(id);
    setPerson(name);
  }
  return (
    <DialogForm form={form} send={{ text: t('retention:place') }} onCancel={onClose}>
      <Select
        label={t('retention:holdFor')}
        name="about"
        value={about}
        choices={[
          { value: 'person', text: t('retention:forPerson') },
          { value: 'school', text: t('retention:forSchool') },
        ]}
        {...(fault === undefined ? {} : { error: fault })}
        onChange={(value) => {
          setAbout(value === 'school' ? 'school' : 'person');
          choose(null, undefined);
          schoolId.onChange(null);
        }}
      />
      {about === 'person' && person === undefined && (
        <UserPicker onPick={({ id, name }) => choose(id, name)} />
      )}
      {about === 'person' && person !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <span className="font-medium wrap-anywhere">{person}</span>
          <Button kind="plain" onPress={() => choose(null, undefined)}>
            {t('retention:anotherPerson')}
          </Button>
        </div>
      )}
      {about === 'school' && (
        <Select
          name="schoolId"
          label={t('retention:school')}
          prompt={t('retention:chooseSchool')}
          value={schoolId.value === null ? '' : String(schoolId.value)}
          onChange={(value) => schoolId.onChange(value === '' ? null : Number(value))}
          choices={(schools.data ?? []).map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      )}
      <TextArea {...form.field('reason')} label={t('retention:holdReason')} max={LIMITS.reason} isRequired />
    </DialogForm>
  );
}
