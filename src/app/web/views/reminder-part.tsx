import './reminder-texts.ts';

/** Which reminders somebody gets, with their texts: loaded when Settings open. */
export { ReminderChoice } from '#rooms/reminders/web/reminder-choice.tsx';
