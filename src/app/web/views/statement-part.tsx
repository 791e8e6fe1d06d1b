/** The statement of hours with its texts. */
export { StatementScreen } from '#rooms/analytics/web/statement.tsx';
