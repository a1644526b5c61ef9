// The parts of the audit's checks.

export interface Check {
  readonly name: string
  /** Selects `says`: one line for each violation. */
  readonly sql: string
}

export const FINAL = `('SUCCESS', 'FAILED')`

/** The gateway's `ledger` entry `p` of a transaction `t`. */
export const OF_THE_GATEWAY = `p.account_id = t.account_id AND p.key = t.id::text`

/** The own events `e` of a transaction `t`. */
export const OF_THE_ROW = `e.account_id = t.account_id AND e.resource_id = t.id::text`

/** The captures, voids and refunds `c` of a transaction `t`. */
export const OF_THE_PARENT = `c.account_id = t.account_id AND c.reference_id = t.id`

/** The children of any kind in the snapshot of an event. */
export function childrenIn(snapshot: string): string {
  return `((${snapshot}->'child_transactions')::jsonb || (${snapshot}->'child_captures')::jsonb)`
}

/** The form of the child `t` in a snapshot, as far as it is compared here. */
export function asChild(t: string): string {
  return `jsonb_build_array(jsonb_build_object('id', ${t}.id, 'status', ${t}.status))`
}
