/** A person as named next to a record, from the columns of a left join; null without a person. */
export function toPersonRef(id: number | null, firstName: string | null, lastName: string | null) {
  return id === null ? null : { id, firstName: firstName ?? '', lastName: lastName ?? '' };
}
