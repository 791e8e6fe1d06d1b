/** The District log and the panel of one item's history, with their texts. */
export { DistrictLog } from '#rooms/audit/web/admin-district-log.tsx';
export { HistoryPanel } from '#rooms/audit/web/admin-history-panel.tsx';
