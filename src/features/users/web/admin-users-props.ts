import type { District } from '#features/schools/district-settings/contract.ts';
import type { AdminUser } from '../admin-contract.ts';
import type { PersonContact, User } from '../contract.ts';
import type { UserFilters } from './admin-users-filters.tsx';

/** The props of each section of the Users tab. */
export type AdminUsersProps = {
  viewer: User;
  district: District;
  /** The target of a first step: one's own account in the list, or the invitations. */
  startAt?: 'own' | 'invites' | undefined;
  /** Opens the Schools tab if there is no school yet. */
  onAddSchool: () => void;
  /** Shows an account's history. */
  onHistory: (user: { id: number; name: string }) => void;
};

/** The props of the dialog that permanently erases a user: the user, and callbacks for the outcome. */
export type DeleteAccountProps = {
  person: PersonContact;
  onDone: (message: string) => void;
  onClose: () => void;
};

/** The props of the announcement dialog: the selected users, and the filters of the list with its total. */
export type AnnouncementProps = {
  chosen: readonly { id: number }[];
  matching: Readonly<{ search?: string }> & UserFilters;
  total: number;
  timeZone: string;
  onClose: () => void;
  onSent: () => void;
};

/** The props of the form that merges a guest volunteer with the same person's account. */
export type MergingProps = {
  user: AdminUser;
  viewerId: number;
  timeZone: string;
  onMerged: () => void;
};
