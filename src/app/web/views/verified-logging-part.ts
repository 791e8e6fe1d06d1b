/** What the form of Log Time adds where a school verifies hours, with its texts. */
export * from '#rooms/time-entries/web/verified-logging.ts';
