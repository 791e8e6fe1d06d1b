import type { ReactNode } from 'react';
import type { Id } from '#base/id.ts';
import type { Capability } from '#base/permissions.ts';
import { loadingFailure } from '#web/lib/call.ts';
import { useMay } from '#web/lib/may.ts';
import { useText } from '#web/lib/text.ts';
import { FilterSelect } from '#web/ui/admin/filter-select.tsx';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { filterSelect } from '#web/ui/admin/list-places.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorBox, Notice } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type PublicSchool } from '../contract.ts';
import { useGrantedSchools } from './admin-granted-schools.ts';

type SchoolFilterProps = {
  /** The title of the screen that needs a school. */
  title: string;
  /** What the screen needs at the school. */
  needs: Capability;
  schoolId: Id | undefined;
  onSchool: (id: Id | undefined) => void;
  /** Opens the Schools tab when there is no school yet. */
  onAddSchool: () => void;
  /** The screen for the chosen school; it places the filter beside its own title. */
  children: (school: PublicSchool, filter: ReactNode) => ReactNode;
};

/** 'Filter by School' (specification section 2): until a school is chosen, a notice with the select inside. Whoever may at one school only needs no choice. */
export function SchoolFilter(props: SchoolFilterProps) {
  const { title, needs, schoolId, onSchool, onAddSchool, children } = props;
  const { t } = useText();
  const may = useMay();
  const schools = useGrantedSchools(needs);
  const school = schools.preset ?? schools.data?.find(({ id }) => id === schoolId);
  const filter = schools.data !== undefined && (
    <FilterSelect
      label={t('schools:filter')}
      prompt={schools.preset === undefined ? t('schools:chooseOne') : undefined}
      value={school === undefined ? '' : String(school.id)}
      onChange={(value) => {
        onSchool(value === '' ? undefined : Number(value));
        // After the first choice the select moves from the notice to the title.
        setTimeout(filterSelect.focus);
      }}
      choices={schools.data.map(({ id, name }) => ({ value: String(id), text: name }))}
    />
  );
  if (school !== undefined) return children(school, filter);
  return (
    <div className="flex flex-col gap-4">
      <ListTitle title={title} />
      {schools.data === undefined && schools.isError && (
        <ErrorBox
          {...loadingFailure(schools.error, messages.failedToLoad)}
          onRetry={() => schools.refetch()}
          isRetrying={schools.isFetching}
        />
      )}
      {schools.data === undefined && !schools.isError && <SkeletonRows rows={1} isTall />}
      {schools.data?.length === 0 && (
        <EmptyList
          text={t('schools:noneYet')}
          action={may('run the district') && <Button onPress={onAddSchool}>{t('schools:addFirst')}</Button>}
        />
      )}
      {schools.data !== undefined && schools.data.length > 0 && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="font-medium">{t('schools:selectOne')}</p>
            {filter}
          </div>
        </Notice>
      )}
    </div>
  );
}
