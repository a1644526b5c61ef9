// What the checks of the audit are made of.

export interface Check {
  readonly name: string
  /** Selects `says`: one line for each violation. */
  readonly sql: string
}

export const FINAL = `('SUCCESS', 'FAILED')`

/** Of a transaction `t`: what the gateway has in its `ledger` as `p`. */
export const OF_THE_GATEWAY = `p.account_id = t.account_id AND p.key = t.id::text`

/** Of a transaction `t`: its own events `e`. */
export const OF_THE_ROW = `e.account_id = t.account_id AND e.resource_id = t.id::text`

/** Of a transaction `t`: its captures, voids and refunds `c`. */
export const OF_THE_PARENT = `c.account_id = t.account_id AND c.reference_id = t.id`

/** The children that the snapshot of an event shows, of whichever kind. */
export function childrenIn(snapshot: string): string {
  return `((${snapshot}->'child_transactions')::jsonb || (${snapshot}->'child_captures')::jsonb)`
}

/** How a snapshot shows the child `t`, as far as it is said here. */
export function asChild(t: string): string {
  return `jsonb_build_array(jsonb_build_object('id', ${t}.id, 'status', ${t}.status))`
}
