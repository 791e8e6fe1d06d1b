/** The calendar for several days at once, with its texts. */
export * from '#rooms/time-entries/web/several-days.tsx';
