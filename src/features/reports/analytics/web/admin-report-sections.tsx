import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { formatHours } from '#shared/hours.ts';
import { failureText } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { useCan } from '#web/api/permissions.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { SidePanel } from '#web/ui/admin/side-panel.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { Period } from '../contract.ts';
import {
  exportDistrictSummary,
  exportInKind,
  formatMoney,
  type IN_KIND_FORMATS,
  type InKindMatch,
  type InKindPeriod,
  InKindRate,
  messages,
  RATE,
} from '../report-contract.ts';
import { useInKindMatch, useInKindRate, useSaveInKindRate } from './admin-api.ts';
import { SectionFrame, TABLE } from './admin-bar-chart.tsx';

/** Downloads the page's figures as a file for the board. */
export function BoardSummarySection({ period }: { period: Period }) {
  const { t } = useTranslation();
  const id = useId();
  const save = useMutation({
    mutationFn: () => download('volunteer-summary.pdf', exportDistrictSummary, { body: period }),
    onError: (error) => notify.failure(failureText(error)),
  });
  return (
    <SectionFrame
      id={id}
      title={t('analytics:reports')}
      hint={t('analytics:reportsHint')}
      toggle={
        <Button
          icon={<Download aria-hidden="true" className="size-5" />}
          isBusy={save.isPending}
          onPress={() => save.mutate()}
        >
          {t('analytics:downloadPdf')}
        </Button>
      }
    />
  );
}

type InKindPartProps = {
  period: InKindPeriod;
  /** Whether any of the schools verifies hours. */
  isVerifying: boolean;
  thisYear: number;
  onSchool: (id: number) => void;
  onShowEntries: (behind: EntriesOfActivity) => void;
};

/** Selects the entries behind an activity's value: only verified ones, or all. */
type EntriesOfActivity = { id: number; schoolId: number; status: 'verified' | undefined };

// Long because it contains the rate, the kind of hours, the table, and their empty states.
/** The value of the hours, by school, or by activity when a school is chosen. */
export function InKindSection({ isVerifying, thisYear, onSchool, onShowEntries, ...about }: InKindPartProps) {
  const { t, language } = useTranslation();
  const id = useId();
  const [isChanging, setIsChanging] = useState(false);
  const [only, setOnly] = useState<InKindPeriod['only']>();
  const period = { ...about.period, only };
  const maySetRate = useCan()('run the district');
  const rate = useInKindRate();
  const match = useInKindMatch(period, rate.data != null);
  const save = useMutation({
    mutationFn: (format: (typeof IN_KIND_FORMATS)[number]) =>
      download(`in-kind-match.${format}`, exportInKind, { params: { format }, body: period }),
    onError: (error) => notify.failure(failureText(error)),
  });
  const savedFormat = save.isPending ? save.variables : undefined;
  const failed = [rate, match].find((query) => query.isError);
  return (
    <SectionFrame
      id={id}
      title={t('analytics:inKind')}
      hint={`${t('analytics:inKindHint')}${isVerifying ? ` ${t('analytics:inKindCounts')}` : ''}`}
      toggle={
        rate.data != null && (
          <span className="flex flex-wrap gap-2">
            <Button isBusy={savedFormat === 'csv'} onPress={() => save.mutate('csv')}>
              {t('analytics:downloadCsv')}
            </Button>
            <Button isBusy={savedFormat === 'xlsx'} onPress={() => save.mutate('xlsx')}>
              {t('analytics:downloadXlsx')}
            </Button>
          </span>
        )
      }
    >
      {failed !== undefined && <QueryError text={messages.failedToLoad} query={failed} />}
      {rate.data === undefined && failed === undefined && <SkeletonRows rows={1} />}
      {rate.data === null && (
        <div>
          {maySetRate ? (
            <Button onPress={() => setIsChanging(true)}>{t('analytics:setRate')}</Button>
          ) : (
            <p className="text-soft">{t('web:noRate')}</p>
          )}
        </div>
      )}
      {rate.data != null && (
        <div className="flex flex-wrap items-center gap-x-3">
          <p>
            {t('analytics:rateIs', {
              rate: formatMoney(rate.data.hourlyRate, language),
              source: rate.data.source,
              year: String(rate.data.year),
            })}
          </p>
          {maySetRate && (
            <span className="print:hidden">
              <LinkButton onPress={() => setIsChanging(true)}>{t('analytics:changeRate')}</LinkButton>
            </span>
          )}
        </div>
      )}
      {isVerifying && rate.data != null && (
        <div className="flex">
          <SelectChip
            label={t('analytics:whichHours')}
            all={t(period.schoolId === undefined ? 'analytics:hoursThatCount' : 'analytics:verifiedHours')}
            value={only ?? ''}
            onChange={(value) => setOnly(value === 'logged' || value === 'verified' ? value : undefined)}
            choices={[
              { value: 'logged', text: t('analytics:allLogged') },
              ...(period.schoolId === undefined
                ? [{ value: 'verified', text: t('analytics:verifiedHours') }]
                : []),
            ]}
          />
        </div>
      )}
      {match.data !== undefined && (
        <InKindTable
          labelledBy={id}
          match={match.data}
          isOneSchool={period.schoolId !== undefined}
          isLogged={only === 'logged'}
          onSchool={onSchool}
          onShowEntries={onShowEntries}
        />
      )}
      <SidePanel
        title={t(rate.data === null ? 'analytics:setRate' : 'analytics:changeRate')}
        isOpen={isChanging}
        onClose={() => setIsChanging(false)}
      >
        {isChanging && (
          <RateForm rate={rate.data ?? undefined} thisYear={thisYear} onClose={() => setIsChanging(false)} />
        )}
      </SidePanel>
    </SectionFrame>
  );
}

type InKindTableProps = {
  labelledBy: string;
  match: InKindMatch;
  isOneSchool: boolean;
  /** Whether all logged hours count, also at schools that verify. */
  isLogged: boolean;
  onSchool: (id: number) => void;
  onShowEntries: (behind: EntriesOfActivity) => void;
};

function InKindTable(props: InKindTableProps) {
  const { labelledBy, match, isOneSchool, isLogged, onSchool, onShowEntries } = props;
  const { t, language } = useTranslation();
  const rows = isOneSchool
    ? match.schools.flatMap((school) =>
        school.activities.map((one) => ({
          ...one,
          label: t('analytics:showEntries', { name: one.name }),
          onPress: () =>
            onShowEntries({
              id: one.id,
              schoolId: school.id,
              status: isLogged || one.verifiedHours === null ? undefined : 'verified',
            }),
        })),
      )
    : match.schools.map((school) => ({
        ...school,
        label: t('analytics:showSchool', { name: school.name }),
        onPress: () => onSchool(school.id),
      }));
  return (
    <table aria-labelledby={labelledBy} className={TABLE}>
      <thead>
        <tr>
          <th scope="col">{t(isOneSchool ? 'analytics:activity' : 'analytics:school')}</th>
          <th scope="col" className="text-right! max-sm:hidden">
            {t('analytics:entries')}
          </th>
          <th scope="col" className="text-right!">
            {t(
              isOneSchool && !isLogged && match.verifiedHours !== null
                ? 'analytics:verifiedHours'
                : 'analytics:hours',
            )}
          </th>
          <th scope="col" className="text-right!">
            {t('analytics:value')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="py-0! font-normal! text-ink! max-sm:py-1.5!">
              <span className="-ml-1 inline-flex">
                <LinkButton label={row.label} onPress={row.onPress}>
                  <span className="wrap-anywhere">{row.name}</span>
                </LinkButton>
              </span>
            </th>
            <td className="figures text-right align-middle max-sm:hidden">
              {formatCount(row.totalEntries, language)}
            </td>
            <td className="figures text-right align-middle">{formatHours(row.totalHours, language)}</td>
            <td className="figures text-right align-middle">{formatMoney(row.value, language)}</td>
          </tr>
        ))}
        <tr className="font-semibold">
          <th scope="row" className="font-semibold! text-ink!">
            {t('analytics:total')}
          </th>
          <td className="figures text-right max-sm:hidden">{formatCount(match.totalEntries, language)}</td>
          <td className="figures text-right">{formatHours(match.totalHours, language)}</td>
          <td className="figures text-right">{formatMoney(match.value, language)}</td>
        </tr>
      </tbody>
    </table>
  );
}

type RateFormProps = { rate: InKindRate | undefined; thisYear: number; onClose: () => void };

function RateForm({ rate, thisYear, onClose }: RateFormProps) {
  const { t } = useTranslation();
  const save = useSaveInKindRate();
  const initial: { hourlyRate: number | undefined; source: string; year: number | undefined } = {
    hourlyRate: rate?.hourlyRate,
    source: rate?.source ?? '',
    year: rate?.year ?? thisYear,
  };
  const form = useForm({
    schema: InKindRate,
    initial,
    send: async (body) => {
      const { message } = await save.mutateAsync(body);
      notify.success(message);
      onClose();
    },
  });
  return (
    <PanelForm form={form} saveText={t('web:save')} onCancel={onClose}>
      <NumberField
        {...form.field('hourlyRate')}
        label={t('analytics:hourlyRate')}
        min={RATE.min}
        max={RATE.max}
        step={0.5}
        isRequired
      />
      <TextField
        {...form.field('source')}
        label={t('analytics:rateSource')}
        hint={t('analytics:rateSourceHint')}
        maxLength={RATE.source}
        isRequired
      />
      <NumberField
        {...form.field('year')}
        label={t('analytics:yearOfRate')}
        min={RATE.firstYear}
        max={RATE.lastYear}
        step={1}
        isRequired
      />
    </PanelForm>
  );
}
