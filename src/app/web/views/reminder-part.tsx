/** Which reminders and letters to many somebody gets, with their texts: loaded when Settings open. */
export { MailingChoice } from '#rooms/mailings/web/mailing-choice.tsx';
export { ReminderChoice } from '#rooms/reminders/web/reminder-choice.tsx';
