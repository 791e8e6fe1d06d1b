import type { District } from '#rooms/district/contract.ts';
import type { PersonContact, User } from '../contract.ts';

/** What each part of the Users tab is given. */
export type AdminUsersProps = {
  viewer: User;
  district: District;
  /** Leads to the schools when there is none yet. */
  onAddSchool: () => void;
  /** Shows what happened to an account. */
  onHistory: (user: { id: number; name: string }) => void;
};

/** What the question whether somebody is removed for good is given: whom, and what follows an answer. */
export type ErasingProps = {
  person: PersonContact;
  onDone: (message: string) => void;
  onClose: () => void;
};
