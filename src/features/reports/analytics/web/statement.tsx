import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { VerifiedOnlyFilter } from '#features/time-entries/verification-status.ts';
import { formatDay, isCalendarDate } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { call, failureText } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { focusOnMount } from '#web/ui/focus-target.ts';
import { QueryError } from '#web/ui/query-error.tsx';
import { Select } from '#web/ui/select.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { formatPeriod } from '../contract.ts';
import { exportStatement, getStatement, messages, type Statement } from '../report-contract.ts';
import { type Days, daysOf, periodSelect, withBound } from './period-presets.ts';

type StatementScreenProps = { district: District; onBack: () => void };

/** A person's own hours in a period as a sheet to sign; the printed page is the same as the screen. */
export function StatementScreen({ district, onBack }: StatementScreenProps) {
  const text = useTranslation();
  const { t } = text;
  const { today, schoolYearStart } = district;
  const [days, setDays] = useState(() => daysOf('thisYear', today, schoolYearStart));
  const [only, setOnly] = useState<VerifiedOnlyFilter>();
  const [isSaving, setIsSaving] = useState(false);
  const found = useStatement(days, only);

  async function save() {
    setIsSaving(true);
    try {
      await download('volunteer-statement.pdf', exportStatement, { body: { ...days, only } });
    } catch (error) {
      notify.failure(failureText(error));
    }
    setIsSaving(false);
  }

  return (
    <section className="flex max-w-184 flex-col gap-5">
      <div className="-ml-3 print:hidden">
        <Button kind="plain" onPress={onBack} icon={<ArrowLeft aria-hidden="true" className="size-5" />}>
          {t('analytics:statementBack')}
        </Button>
      </div>
      <div className="flex flex-col gap-1 print:hidden">
        <h2 ref={focusOnMount} tabIndex={-1} className="text-2xl font-semibold outline-none">
          {t('analytics:statement')}
        </h2>
        <p className="text-soft">{t('analytics:statementHint')}</p>
      </div>
      <DaysFields district={district} days={days} onChange={setDays} />
      {typeof found.data?.verifiedHours === 'number' && (
        <div className="flex flex-col gap-1.5 print:hidden">
          <FilterPills<VerifiedOnlyFilter | undefined>
            label={t('analytics:whichHours')}
            choices={[
              { value: undefined, text: t('analytics:loggedAndVerified') },
              { value: 'verified', text: t('analytics:verifiedOnly') },
            ]}
            value={only}
            onChange={setOnly}
          />
          <p className="text-sm text-soft">{t('analytics:whichHoursHint')}</p>
        </div>
      )}
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button
          kind="primary"
          icon={<Download aria-hidden="true" className="size-5" />}
          onPress={() => void save()}
          isBusy={isSaving}
        >
          {t('analytics:downloadPdf')}
        </Button>
        <Button icon={<Printer aria-hidden="true" className="size-5" />} onPress={() => window.print()}>
          {t('analytics:print')}
        </Button>
      </div>
      {found.isError && <QueryError text={messages.failedToLoad} query={found} />}
      {found.data === undefined && !found.isError && <SkeletonRows rows={5} />}
      {found.data !== undefined && (
        <Sheet statement={found.data} district={district} days={days} only={only} />
      )}
    </section>
  );
}

function useStatement(days: Days, only: VerifiedOnlyFilter | undefined) {
  return useQuery({
    queryKey: ['time-entries', 'statement', days, only],
    queryFn: ({ signal }) => call(getStatement, { query: { ...days, only }, signal }),
    select: ({ statement }) => statement,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

function DaysFields({
  district,
  days,
  onChange,
}: {
  district: District;
  days: Days;
  onChange: (days: Days) => void;
}) {
  const text = useTranslation();
  const { t } = text;
  const bound = (value: string) => (isCalendarDate(value) ? value : undefined);
  return (
    <div className="grid gap-4 sm:grid-cols-3 print:hidden">
      <Select name="period" {...periodSelect(district, days, onChange, text)} />
      <DateField
        name="startDate"
        label={t('analytics:startDate')}
        value={days.startDate ?? ''}
        onChange={(value) => onChange(withBound(days, { startDate: bound(value) }))}
      />
      <DateField
        name="endDate"
        label={t('analytics:endDate')}
        value={days.endDate ?? ''}
        onChange={(value) => onChange(withBound(days, { endDate: bound(value) }))}
        {...(days.startDate === undefined ? {} : { min: days.startDate })}
      />
    </div>
  );
}

type SheetProps = {
  statement: Statement;
  district: District;
  days: Days;
  only: VerifiedOnlyFilter | undefined;
};

function Sheet({ statement, district, days, only }: SheetProps) {
  const text = useTranslation();
  const { t, language } = text;
  const name = fullName(statement.person);
  return (
    <div className="flex flex-col gap-6 rounded-card border border-line bg-card p-5 sm:p-8 print:border-0 print:p-0">
      <div>
        <p className="text-xl font-semibold">{t('analytics:statementTitle')}</p>
        <p className="wrap-anywhere">
          {t('analytics:statementOf', { name, district: district.districtName })}
        </p>
        <p className="text-soft">{formatPeriod(days, text)}</p>
        {only !== undefined && <p className="font-medium">{t('analytics:verifiedOnly')}</p>}
      </div>
      {statement.schools.map((school) => (
        <SchoolTable key={school.id} school={school} only={only} />
      ))}
      <p role="status" className="figures font-medium">
        {statement.totalEntries === 0
          ? t(only === undefined ? 'analytics:statementNone' : 'analytics:statementNoneVerified')
          : t(only === undefined ? 'analytics:statementTotal' : 'analytics:statementVerified', {
              name,
              hours: formatHours(statement.totalHours, language),
              count: statement.totalEntries,
            })}
        {only === undefined &&
          statement.totalEntries > 0 &&
          statement.verifiedHours !== null &&
          ` ${t('analytics:ofThemVerified', { hours: formatHours(statement.verifiedHours, language) })}`}
      </p>
      <div className="mt-10 grid gap-x-6 gap-y-10 text-sm text-soft sm:grid-cols-3 print:grid-cols-3">
        {[
          t('analytics:signatureVolunteer'),
          t('analytics:signatureSchool'),
          t('analytics:signatureDate'),
        ].map((label) => (
          <p key={label} className="border-t border-ink pt-1">
            {label}
          </p>
        ))}
      </div>
    </div>
  );
}

type SchoolTableProps = { school: Statement['schools'][number]; only: VerifiedOnlyFilter | undefined };

// At a school that verifies, verified hours next to logged ones, or only the verified ones.
function SchoolTable({ school, only }: SchoolTableProps) {
  const text = useTranslation();
  const { t, language } = text;
  const isBoth = only === undefined && school.verifiedHours !== null;
  const ofHours = isBoth ? '' : 'pr-0!';
  return (
    <div className="flex flex-col gap-1">
      <h3 className="font-semibold wrap-anywhere">{school.name}</h3>
      <table
        aria-label={school.name}
        className="w-full border-collapse text-left text-dense [&_td]:border-t [&_td]:border-line [&_td]:py-2 [&_td]:pr-3 [&_td]:align-top [&_th]:py-2 [&_th]:pr-3 [&_th]:align-top [&_th]:font-medium [&_tr]:break-inside-avoid"
      >
        <thead className="text-soft">
          <tr>
            <th scope="col">{t('analytics:activity')}</th>
            <th scope="col" className="max-sm:hidden">
              {t('analytics:days')}
            </th>
            <th scope="col" className="text-right max-sm:hidden">
              {t('analytics:entries')}
            </th>
            <th scope="col" className={`text-right ${ofHours}`}>
              {t(only === undefined ? 'analytics:hours' : 'analytics:verifiedHours')}
            </th>
            {isBoth && (
              <th scope="col" className="pr-0! text-right">
                {t('analytics:verified')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {school.activities.map((one) => (
            <tr key={one.id}>
              <th scope="row" className="border-t border-line font-normal! wrap-anywhere">
                {one.name}
                <span className="block text-sm text-soft">
                  {one.category}
                  <span className="sm:hidden"> · {datesOf(one, text)}</span>
                </span>
              </th>
              <td className="max-sm:hidden">{datesOf(one, text)}</td>
              <td className="figures text-right max-sm:hidden">{formatCount(one.totalEntries, language)}</td>
              <td className={`figures text-right ${ofHours}`}>{formatHours(one.totalHours, language)}</td>
              {isBoth && (
                <td className="figures pr-0! text-right">{formatHours(one.verifiedHours ?? 0, language)}</td>
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="border-t border-ink">
              {t('analytics:total')}
            </th>
            <td className="border-ink! max-sm:hidden" />
            <td className="figures border-ink! text-right font-medium max-sm:hidden">
              {formatCount(school.totalEntries, language)}
            </td>
            <td className={`figures border-ink! text-right font-medium ${ofHours}`}>
              {formatHours(school.totalHours, language)}
            </td>
            {isBoth && (
              <td className="figures border-ink! pr-0! text-right font-medium">
                {formatHours(school.verifiedHours ?? 0, language)}
              </td>
            )}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function datesOf(
  { firstDate, lastDate }: Pick<Statement['schools'][number]['activities'][number], 'firstDate' | 'lastDate'>,
  { t, language }: Text,
): string {
  const [from, to] = [formatDay(firstDate, language), formatDay(lastDate, language)];
  return firstDate === lastDate ? from : t('analytics:fromTo', { from, to });
}
