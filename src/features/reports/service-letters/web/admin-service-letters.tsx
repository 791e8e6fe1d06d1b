import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { usePublicSchools } from '#features/schools/web/api.ts';
import type { PersonContact } from '#features/users/contract.ts';
import { useUserList } from '#features/users/web/admin-api.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import { fullName } from '#shared/person-name.ts';
import { call, failureText, loadingFailure } from '#web/api/call.ts';
import { saveFrom } from '#web/api/download.ts';
import { useCan } from '#web/api/permissions.ts';
import { type FieldBinding, useForm } from '#web/forms/use-form.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { FormErrors } from '#web/ui/form-errors.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { Bar } from '#web/ui/progress-bar.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import {
  cancelLetterFile,
  issueLetters,
  LETTER_FORMS,
  type LetterFile,
  LettersInput,
  messages,
  readLetterFile,
} from '../contract.ts';
import { firstDraft, LetterFields } from './letter-form-fields.tsx';
import { LettersPanel } from './letters-panel.tsx';

const POLL_MS = 500;

/** Letters for a whole class: the form with people, period and format, and the progress of the file. */
export function BulkLetters({ schools, district }: { schools: readonly PublicSchool[]; district: District }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<LetterFile>();
  const file = useFile(made);
  const form = useForm({
    schema: LettersInput,
    initial: {
      ...firstDraft(district, schools[0]?.id ?? null),
      userIds: [] as number[],
      form: 'pdf',
    },
    whenLeft: 'no loss',
    send: async (body) => {
      const reply = await call(issueLetters, { body });
      saveFrom(reply.url);
      setMade(reply.file);
      if (reply.without > 0) notify.success(t('service-letters:without', { count: reply.without }));
    },
  });
  const isRunning = file !== undefined && !isOver(file);
  const count = form.values.userIds.length;
  return (
    <Card>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        <LetterFields
          fields={{
            schoolId: form.field('schoolId'),
            startDate: form.field('startDate'),
            endDate: form.field('endDate'),
            withDates: form.field('withDates'),
            language: form.field('language'),
          }}
          schools={schools}
          today={district.today}
        />
        <Select
          {...form.field('form')}
          label={t('service-letters:form')}
          choices={LETTER_FORMS.map((value) => ({
            value,
            text: t(value === 'pdf' ? 'service-letters:formPdf' : 'service-letters:formZip'),
          }))}
        />
        <PeopleField {...form.field('userIds')} schoolId={form.values.schoolId ?? undefined} />
        <FormErrors form={form} />
        <div>
          <Button
            kind="primary"
            type="submit"
            isBusy={form.isSending || isRunning}
            busyText={t('service-letters:making')}
          >
            {count === 0 ? t('service-letters:make') : t('service-letters:makeMany', { count })}
          </Button>
        </div>
        {file !== undefined && <FileProgress file={file} onClose={() => setMade(undefined)} />}
      </form>
    </Card>
  );
}

function useFile(made: LetterFile | undefined): LetterFile | undefined {
  const current = useQuery({
    queryKey: ['letter-file', made?.id],
    queryFn: ({ signal }) =>
      call(readLetterFile, { params: { id: made?.id ?? 0 }, signal }).then((reply) => reply.file),
    enabled: made !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : POLL_MS),
    retry: true,
    gcTime: 0,
  });
  return made === undefined ? undefined : (current.data ?? made);
}

function PeopleField({
  name,
  value,
  onChange,
  error,
  schoolId,
}: FieldBinding<number[]> & { schoolId: number | undefined }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const list = useUserList(useDebounced(search), { schoolId });
  const found = list.data?.users ?? [];
  const all = found.map(({ id }) => id);
  const isWhole = all.length > 0 && all.every((id) => value.includes(id));
  const toggled = (id: number, isChosen: boolean) =>
    onChange(isChosen ? [...value, id] : value.filter((other) => other !== id));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1.5 font-medium">{t('service-letters:forMany')}</legend>
      <SearchField label={t('service-letters:searchPeople')} value={search} onChange={setSearch} />
      {list.isError && <ErrorBox {...loadingFailure(list.error, messages.failedToLoad)} />}
      <div className="max-h-72 overflow-y-auto rounded-xl border border-line p-1.5">
        {found.map((user) => (
          <Checkbox
            key={user.id}
            name={name}
            isSelected={value.includes(user.id)}
            onChange={(isChosen) => toggled(user.id, isChosen)}
            isAtFault={error !== undefined}
          >
            {user.name}
          </Checkbox>
        ))}
      </div>
      {error !== undefined && <FieldError id={`${name}-error`} text={error} isQuiet={false} />}
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => onChange(isWhole ? [] : [...new Set([...value, ...all])])}>
          {isWhole ? t('service-letters:chooseNone') : t('service-letters:chooseAll', { count: all.length })}
        </Button>
        {list.hasNextPage && (
          <Button kind="plain" onPress={() => void list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
            {t('web:showMore')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function FileProgress({ file, onClose }: { file: LetterFile; onClose: () => void }) {
  const text = useTranslation();
  const { t } = text;
  const sentence = statusLabel(file, text);
  async function stop() {
    try {
      const { message } = await call(cancelLetterFile, { params: { id: file.id } });
      notify.success(message);
      onClose();
    } catch (error) {
      notify.failure(failureText(error));
    }
  }
  return (
    <div className="flex items-center gap-3 rounded-xl border border-line py-1.5 pr-1.5 pl-4">
      <div className="min-w-0 grow py-1.5">
        <p role="status" className="figures wrap-anywhere">
          {sentence}
        </p>
        {!isOver(file) && (
          <div
            role="progressbar"
            aria-label={t('service-letters:title')}
            aria-valuemin={0}
            aria-valuemax={file.total}
            aria-valuenow={file.letters}
            className="pt-1.5"
          >
            <Bar share={file.letters / file.total} />
          </div>
        )}
      </div>
      <IconButton
        label={isOver(file) ? t('web:close') : t('service-letters:stop')}
        icon={<X aria-hidden="true" className="size-5" />}
        onPress={isOver(file) ? onClose : () => void stop()}
      />
    </div>
  );
}

function statusLabel({ status, letters, total }: LetterFile, { t, language }: Text): string {
  if (status === 'done') return t('service-letters:manyDone', { count: total });
  if (status === 'ready') return t('service-letters:manyReady');
  if (status === 'running')
    return t('service-letters:manyRunning', { letters: formatCount(letters, language), count: total });
  return t('service-letters:manyFailed');
}

function isOver({ status }: LetterFile): boolean {
  return status !== 'ready' && status !== 'running';
}

type Picked = Pick<PersonContact, 'id' | 'firstName' | 'lastName'>;

/** Other people's service letters: those of one person, or of many in one file. */
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
        <LettersOfPerson schools={seen} district={district} />
      )}
    </section>
  );
}

function LettersOfPerson({ schools, district }: { schools: readonly PublicSchool[]; district: District }) {
  const { t } = useTranslation();
  const may = useCan();
  const [person, setPerson] = useState<Picked>();
  if (person === undefined) return <UserPicker onPick={setPerson} />;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 ref={focusHeading} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-none">
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
