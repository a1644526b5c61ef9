// The version of a transaction is the sequence number of the event of its last change. It is 0
// before the first event and 1 with it, and rises by two with every further change. The number in
// between belongs to the event that says that the transaction is settled. So that event needs no
// write to the transaction's row, and cannot collide with a change that is committed at the same
// time.
//
// During a rollout, a process of the previous version still adds 1. If a settled event has that
// number, the unique key of events refuses the old process's commit, and a process of this version
// does the work at the next try.

export function versionAfter(version: number): number {
  return version === 0 ? 1 : version + 2
}

/** The same in SQL, for an expression that is a version. */
export function versionAfterSql(version: string): string {
  return `CASE ${version} WHEN 0 THEN 1 ELSE ${version} + 2 END`
}

/** The sequence number of the settled event of a transaction that was read at `version`. */
export function settledSequence(version: number): number {
  return version + 1
}
