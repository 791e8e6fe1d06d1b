import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf } from '#shared/endpoint.ts';
import { fullName } from '#shared/person-name.ts';
import { call, failureText, withReason } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  exportReached,
  getMilestones,
  listReached,
  MILESTONES,
  type Milestone,
  MilestonesInput,
  milestoneMessages,
  setMilestones,
} from '../milestone-contract.ts';

const KEY = ['admin', 'milestones'];

/** The district's milestones with their thank-you texts, and the names of the people who reached each. */
export function Milestones() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState<number>();
  const found = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(getMilestones, { signal }) });
  const milestones = found.data?.milestones;
  const title = t('goals:milestonesTitle');
  const change = t(milestones?.length === 0 ? 'goals:milestonesSet' : 'goals:milestonesChange');
  const close = () => setIsOpen(false);
  return (
    <AdminSection
      title={title}
      aside={milestones && <Button onPress={() => setIsOpen(true)}>{change}</Button>}
    >
      <p className="text-soft">{t('goals:milestonesAbout')}</p>
      <QueryStatus text={milestoneMessages.failedToLoad} query={found} rows={2} isTall />
      {milestones?.length === 0 && <p className="text-soft">{t('goals:milestonesNone')}</p>}
      {milestones !== undefined && milestones.length > 0 && (
        <QueueList label={title}>
          {milestones.map(({ hours, words, people }) => (
            <QueueRow
              key={hours}
              title={t('goals:milestoneHours', { hours })}
              facts={[t('goals:milestonePeople', { count: people })]}
              quote={words}
            >
              {people > 0 && (
                <Button label={t('goals:milestoneWho', { hours })} onPress={() => setShown(hours)}>
                  {t('goals:milestoneShow')}
                </Button>
              )}
            </QueueRow>
          ))}
        </QueueList>
      )}
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {milestones !== undefined && <MilestonesForm milestones={milestones} onClose={close} />}
      </Dialog>
      <Dialog
        title={t('goals:milestoneWho', { hours: shown ?? 0 })}
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
      >
        {shown !== undefined && <Reached hours={shown} />}
      </Dialog>
    </AdminSection>
  );
}

function Reached({ hours }: { hours: number }) {
  const { say } = useTranslation();
  const list = useInfiniteQuery(
    listPages([...KEY, hours], listReached, { hours: String(hours) }, (pages) =>
      pages.flatMap(({ people }) => people),
    ),
  );
  const failure = say(milestoneMessages.failedToLoad);
  if (list.data === undefined) {
    return list.isError ? <ErrorBox {...withReason(failure, list.error)} /> : <SkeletonRows rows={3} />;
  }
  return (
    <>
      <SaveList hours={hours} />
      <ul className="flex flex-col gap-2">
        {list.data.map((person) => (
          <li key={person.id} className="wrap-anywhere">
            {fullName(person)}
          </li>
        ))}
      </ul>
      <ListEnd list={list} failure={failure} />
    </>
  );
}

// The list is for printing certificates.
function SaveList({ hours }: { hours: number }) {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: () => download(`milestone-${hours}.csv`, exportReached, { body: { hours } }),
    onError: (error) => notify.failure(failureText(error, milestoneMessages.fileFailed)),
  });
  return (
    <div>
      <Button isBusy={save.isPending} onPress={() => save.mutate()}>
        {t('goals:milestoneFile')}
      </Button>
    </div>
  );
}

type Draft = Readonly<{ key: number; hours: number | undefined; words: string }>;

function MilestonesForm({ milestones, onClose }: { milestones: readonly Milestone[]; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  // A mutation, because its failures can mean that the viewer's permissions have changed.
  const { mutateAsync } = useMutation({
    mutationFn: (body: BodyOf<typeof setMilestones>) => call(setMilestones, { body }),
  });
  const form = useForm({
    schema: MilestonesInput,
    initial: {
      milestones: milestones.map(
        ({ hours, words }, key): Draft => ({ key, hours, words }),
      ) as readonly Draft[],
    },
    send: async (input) => {
      const { message, ...now } = await mutateAsync(input);
      client.setQueryData(KEY, now);
      onClose();
      notify.success(message);
    },
  });
  const { value: rows, onChange: setRows, error } = form.field('milestones');
  const change = (key: number, to: Partial<Draft>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...to } : row)));
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1;
  return (
    <DialogForm form={form} send={{ text: t('goals:milestoneSave') }} onCancel={onClose}>
      {rows.map(({ key, hours, words }, at) => (
        <fieldset key={key} className="flex flex-col gap-3 border-b border-line pb-4">
          <NumberField
            label={t('goals:milestoneField')}
            name={`hours-${key}`}
            value={hours}
            onChange={(to) => change(key, { hours: to })}
            min={MILESTONES.min}
            max={MILESTONES.max}
            step={5}
            isRequired
          />
          <TextArea
            label={t('goals:milestoneWords')}
            name={`words-${key}`}
            value={words}
            onChange={(to) => change(key, { words: to })}
            max={MILESTONES.words}
            error={form.rowError('milestones', at)}
            isRequired
          />
          <div>
            <Button
              kind="plain"
              label={t('goals:milestoneRemoveOf', { hours: hours ?? 0 })}
              onPress={() => setRows(rows.filter((row) => row.key !== key))}
            >
              {t('goals:milestoneRemove')}
            </Button>
          </div>
        </fieldset>
      ))}
      {error !== undefined && <FieldError id="milestones-error" text={error} />}
      {rows.length < MILESTONES.most && (
        <div>
          <Button
            onPress={() =>
              setRows([...rows, { key: nextKey, hours: undefined, words: t('goals:milestoneUsual') }])
            }
          >
            {t('goals:milestoneAdd')}
          </Button>
        </div>
      )}
    </DialogForm>
  );
}
