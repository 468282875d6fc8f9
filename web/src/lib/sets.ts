/** The same set with this one in it, or without it where it was. */
export function toggled<T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> {
  return set.has(one) ? new Set([...set].filter((each) => each !== one)) : new Set([...set, one]);
}
