import { type ReactNode, useState } from 'react';
import { useTranslatedNames } from '#features/schools/content-translations/web/admin-translated-names.tsx';
import {
  ownName,
  TranslatedNames,
} from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import { type Copying, CopyToSchools } from '#features/schools/web/admin-copy-to-schools.tsx';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import { useSchoolColumn } from '#features/schools/web/admin-school-column.tsx';
import { type CalendarDate, formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { download } from '#web/api/download.ts';
import { useCan } from '#web/api/permissions.ts';
import { formatCount, inWords } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { type Column, RowName } from '#web/ui/admin/data-table.tsx';
import { EditableList } from '#web/ui/admin/editable-list.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { unavailability } from '../activity-groups.ts';
import type { BulkActivitiesProps, BulkState } from '../bulk/web/admin-bulk-activities.tsx';
import { BulkBar } from '../bulk/web/admin-bulk-bar.tsx';
import { offerStarterSet, saveBulkScreenOpen, wasBulkScreenOpen } from '../bulk/web/bulk-draft.ts';
import { type AdminActivity, exportActivities, messages } from '../contract.ts';
import { ActivityForm } from './admin-activity-form.tsx';
import { activityNames, copyToSchool, useActivityList, useDeleteActivity } from './admin-api.ts';

type AdminActivitiesProps = {
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  today: CalendarDate;
  zone: string;
  /** The bulk screen, which is loaded lazily. */
  renderBulk: (given: BulkActivitiesProps) => ReactNode;
  /** Opens the dialog for printing a sign-in sheet. */
  onPrintSheet: (activity: AdminActivity) => void;
  onHistory: (activity: AdminActivity) => void;
};

/** The activities of a school, or of all schools. Long because it is the whole tab. */
export function AdminActivities(props: AdminActivitiesProps) {
  const { school, filter, today, zone, renderBulk, onPrintSheet, onHistory } = props;
  const text = useTranslation();
  const { t, say } = text;
  const search = useSearch();
  const can = useCan();
  const names = useTranslatedNames(
    activityNames(school?.id, t('activities:name')),
    can('edit activities', school?.id),
  );
  const list = useActivityList(school?.id, search.searched, names.without);
  const remove = useDeleteActivity();
  const mayEdit = can('edit activities', school?.id);
  const schoolColumn = useSchoolColumn(school);
  const schools = usePermittedSchools('edit activities');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [banner, setBanner] = useState<string>();
  const [copying, setCopying] = useState<readonly AdminActivity[]>();
  const { adding, open, close } = useBulkState(school?.id ?? 'all');
  const rows = list.data?.activities;
  const ticked = (rows ?? []).filter(({ id }) => chosen.has(id));
  const [first] = ticked;
  const isOneSchool = first !== undefined && ticked.every(({ schoolId }) => schoolId === first.schoolId);
  const othersThan = (schoolId: number | undefined) =>
    (schools.data ?? []).filter(({ id }) => id !== schoolId);

  const bulkScreen =
    adding &&
    renderBulk({
      state: adding,
      school,
      zone,
      onDone: (done) => open({ kind: 'done', done }),
      onClose: close,
    });
  if (adding !== undefined && adding.kind !== 'done') return bulkScreen;
  if (names.screen !== undefined) return names.screen;
  return (
    <>
      {bulkScreen}
      <EditableList<AdminActivity>
        texts={{
          title: t('activities:title'),
          total: list.data === undefined ? undefined : t('activities:total', { count: list.data.total }),
          search: t('activities:search'),
          add: t('activities:add'),
          noneYet: t('activities:noneInSchool', { school: school?.name ?? t('web:grantedSchools') }),
          addFirst: t('activities:addFirst'),
          createTitle: t('activities:createTitle'),
          editTitle: t('activities:editTitle'),
          deleteTitle: t('activities:deleteTitle'),
          failure: say(messages.failedToLoad),
        }}
        aside={filter}
        names={names.line}
        noneMatch={search.searched === '' ? names.noneMatch : undefined}
        onSave={(format) =>
          download(`activities.${format}`, exportActivities, {
            body: { format, schoolId: school?.id, search: search.searched, without: names.without },
          })
        }
        banner={banner}
        bulk={
          <BulkBar
            chosen={ticked}
            onClear={() => setChosen(new Set())}
            onFailed={setBanner}
            onNextYear={isOneSchool ? () => open({ kind: 'next year', copies: ticked }) : undefined}
            onCopyToSchools={
              isOneSchool && othersThan(first.schoolId).length > 0 ? () => setCopying(ticked) : undefined
            }
          />
        }
        {...(mayEdit
          ? {
              filters: <Button onPress={() => open({ kind: 'add' })}>{t('activities:addSeveral')}</Button>,
              emptyMore: school !== undefined && <StarterSetButton schoolId={school.id} onOpen={open} />,
              selection: {
                chosen,
                onChange: setChosen,
                allLabel: t('activities:selectAll'),
                rowLabel: ({ name }: AdminActivity) => t('activities:selectOne', { name }),
              },
            }
          : {})}
        search={search}
        loading={list}
        rows={rows}
        columns={(open) => columnsOf(open, today, text).toSpliced(2, 0, ...schoolColumn)}
        form={(given) => (
          <FormSchool
            school={(given.opened.kind === 'edit' ? given.opened.row : given.opened.from)?.schoolId ?? school}
            needs="edit activities"
          >
            {(at) => (
              <ActivityForm
                school={at}
                {...given}
                onPrintSheet={can('log for others', at.id) ? onPrintSheet : undefined}
                onCopyToSchools={
                  othersThan(at.id).length === 0
                    ? undefined
                    : (activity) => {
                        given.onClose();
                        setCopying([activity]);
                      }
                }
              />
            )}
          </FormSchool>
        )}
        remove={remove.mutateAsync}
        inUse={({ name, counts, photoCount }, things) =>
          counts.timeEntries + photoCount > 0 ? say(messages.inUse(name, things)) : undefined
        }
        things={({ counts, photoCount }) =>
          inWords(
            [
              { count: counts.timeEntries, message: messages.countedTimeEntries },
              { count: photoCount, message: messages.countedPhotos },
            ],
            text,
          )
        }
        reload={async (id) => (await list.refetch()).data?.activities.find((activity) => activity.id === id)}
        more={({ description, descriptionPrompt }) => [
          { title: t('activities:description'), text: description },
          { title: t('activities:prompt'), text: descriptionPrompt },
        ]}
        mayAdd={mayEdit}
        mayEdit={({ schoolId }) => can('edit activities', schoolId)}
        onHistory={onHistory}
      />
      <CopyToSchools
        copying={copying && toCopying(copying, text)}
        schools={othersThan(copying?.[0]?.schoolId)}
        onClose={() => setCopying(undefined)}
      />
    </>
  );
}

type StarterSetButtonProps = { schoolId: number; onOpen: (state: BulkState) => void };

function StarterSetButton({ schoolId, onOpen }: StarterSetButtonProps) {
  const { t } = useTranslation();
  function start() {
    offerStarterSet(schoolId);
    onOpen({ kind: 'add' });
  }
  return <Button onPress={start}>{t('activities:startWithUsual')}</Button>;
}

// The open bulk screen. It reopens after a reload, with its draft.
function useBulkState(listed: number | 'all') {
  const [adding, setAdding] = useState<BulkState | undefined>(() =>
    wasBulkScreenOpen(listed) ? { kind: 'add' } : undefined,
  );
  function open(next: BulkState) {
    saveBulkScreenOpen(next.kind === 'add' ? listed : undefined);
    setAdding(next);
  }
  function close() {
    saveBulkScreenOpen(undefined);
    setAdding(undefined);
  }
  return { adding, open, close };
}

function columnsOf(
  open: (activity: AdminActivity) => void,
  today: CalendarDate,
  text: Text,
): readonly Column<AdminActivity>[] {
  const { t, language } = text;
  return [
    {
      key: 'name',
      title: t('activities:name'),
      isMain: true,
      cell: (activity) => (
        <>
          <RowName onPress={() => open(activity)}>{ownName(activity)}</RowName>
          <TranslatedNames row={activity} />
        </>
      ),
    },
    {
      key: 'category',
      title: t('activities:category'),
      isPlain: true,
      cell: ({ category }) => (
        <span className="flex items-center gap-2">
          <CategoryDot color={category.color} />
          {category.name}
        </span>
      ),
    },
    {
      key: 'dates',
      title: t('activities:dates'),
      isPlain: true,
      cell: (activity) => <span className="figures">{datesOf(activity, text)}</span>,
    },
    {
      key: 'status',
      title: t('activities:status'),
      isPlain: true,
      cell: (activity) => <Status activity={activity} today={today} />,
    },
    {
      key: 'entries',
      title: t('activities:entries'),
      isNumber: true,
      cell: ({ counts }) => formatCount(counts.timeEntries, language),
    },
  ];
}

function toCopying(activities: readonly AdminActivity[], { t }: Text): Copying {
  const [only] = activities;
  const name =
    activities.length === 1 && only !== undefined
      ? only.name
      : t('activities:total', { count: activities.length });
  const hint =
    activities.length === 1
      ? t('activities:copyHint', { name, category: only?.category.name ?? '' })
      : t('activities:copySeveralHint', { name });
  return { name, hint, to: (schoolId) => copyToSchool(activities, schoolId) };
}

function Status({ activity, today }: { activity: AdminActivity; today: CalendarDate }) {
  const { t } = useTranslation();
  if (!activity.isActive) return <Badge>{t('activities:inactive')}</Badge>;
  const reason = unavailability(activity, today);
  if (reason === undefined) return <Badge tone="brand">{t('activities:active')}</Badge>;
  return <Badge>{t(reason === 'future' ? 'activities:notYet' : 'activities:over')}</Badge>;
}

function datesOf({ activeFrom, activeUntil }: AdminActivity, { t, language }: Text): string {
  if (activeFrom === null) return t('activities:yearLongShort');
  if (activeUntil === null || activeUntil === activeFrom) return formatDay(activeFrom, language);
  const isSameYear = activeFrom.slice(0, 4) === activeUntil.slice(0, 4);
  return t('activities:fromTo', {
    from: isSameYear ? formatDayShort(activeFrom, language) : formatDay(activeFrom, language),
    to: formatDay(activeUntil, language),
  });
}
