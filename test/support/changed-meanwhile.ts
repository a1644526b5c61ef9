// A row that another connection changes after it was read, and before a request has locked it.

import { holdLock } from './hold-lock.ts'
import type { TestService } from './test-service.ts'

interface Change {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Sends the request once the row is locked, and commits the change once the request waits. */
export async function changedMeanwhile<T>(
  service: TestService,
  { sql, values }: Change,
  send: () => Promise<T>,
): Promise<T> {
  const change = await holdLock(service.databaseUrl, sql, values)
  // A request of fastify's `inject` is sent when it is first awaited.
  const answer = Promise.resolve(send()).then((one) => one)
  await change.untilWaiting(1)
  await change.release()
  return answer
}
