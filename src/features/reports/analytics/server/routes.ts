import { isServedFromRollups } from '#features/time-entries/admin-list/server/actions.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { analyzeActivities, analyzeOverview, analyzeVolunteers } from '../contract.ts';
import {
  exportDistrictSummary,
  exportInKind,
  exportStatement,
  getInKindRate,
  getStatement,
  matchInKind,
  type ReportInput,
  updateInKindRate,
} from '../report-contract.ts';
import { activities, overview, volunteers } from './actions.ts';
import { summaryFile } from './board-summary.ts';
import { changeInKindRate, inKindFile, inKindMatch, inKindRate } from './in-kind-value.ts';
import { ownStatement, statementFile } from './statement.ts';

export function mountAnalytics(mount: Mount, server: Deps): void {
  const deps = withConnectionPool(server, 'reports');
  // Reading stored sums is faster than asking another process.
  mount(analyzeActivities, 'see figures', ({ viewer, query }) =>
    activities(isServedFromRollups(query) ? server : deps, viewer, query),
  );

  mount(analyzeOverview, 'see figures', ({ viewer, request, query }) =>
    overview(deps, viewer, request, query),
  );

  mount(analyzeVolunteers, 'see figures', ({ viewer, request, query }) =>
    volunteers(deps, viewer, request, query),
  );

  mount(getInKindRate, 'see figures', async () => ({ rate: await inKindRate(deps.database.db) }));

  mount(updateInKindRate, 'run the district', ({ viewer, request, body }) =>
    changeInKindRate(deps, viewer, request, body),
  );

  mount(matchInKind, 'see figures', ({ viewer, query }) => inKindMatch(deps, viewer, query));

  mount(exportInKind, 'see figures', ({ viewer, request, gone, params, body }) =>
    inKindFile(deps, { viewer, request, gone }, { format: params.format, period: periodIn(body) }),
  );

  mount(exportDistrictSummary, 'see figures', ({ body, ...reader }) =>
    summaryFile(deps, reader, periodIn(body)),
  );

  mount(getStatement, 'signedIn', ({ viewer, query }) => ownStatement(deps, viewer, query));

  mount(exportStatement, 'signedIn', ({ body, ...reader }) => statementFile(deps, reader, periodIn(body)));
}

// Null means no bound, as in every body.
function periodIn<Only extends string = never>({
  schoolId,
  startDate,
  endDate,
  only,
}: Omit<ReportInput, 'only'> & { only?: Only | null | undefined }) {
  return {
    only: only ?? undefined,
    schoolId: schoolId ?? undefined,
    startDate: startDate ?? undefined,
    endDate: endDate ?? undefined,
  };
}
