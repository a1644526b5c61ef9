// Faults of the database server, beside its end: it takes no writes, or another takes its place.
// The strike itself mends each of them: a fault on top of it would need a primary.

import type { FaultTarget } from './faults.ts'

const READ_ONLY_MS = 4_000

/** The time for preparing a standby before its primary fails. */
const IN_STEP_MS = 1_000

export async function readOnly({ stores, next }: FaultTarget): Promise<undefined> {
  await stores.setReadOnly(true)
  await next(Number.POSITIVE_INFINITY, READ_ONLY_MS)
  await stores.setReadOnly(false)
}

export async function promoteAfterKill({ stores, next }: FaultTarget): Promise<undefined> {
  const standby = await stores.standby()
  await next(Number.POSITIVE_INFINITY, IN_STEP_MS)
  await standby.replaceKilled()
}

export async function demote({ stores, next }: FaultTarget): Promise<undefined> {
  const standby = await stores.standby()
  await next(Number.POSITIVE_INFINITY, IN_STEP_MS)
  await standby.demotePrimary()
  await next(Number.POSITIVE_INFINITY, READ_ONLY_MS)
  await standby.replaceDemoted()
}
