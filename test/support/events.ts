// The events of a customer or a payment method.

import type { TestService } from './test-service.ts'

/** From the first on, each with whether it was written in the row's commit. */
export function eventsOf(service: TestService, table: 'customer' | 'payment_method', id: string) {
  return service.world.db.query(
    `SELECT e.type, e.sequence, e.snapshot, e.xmin = r.xmin AS same_commit
     FROM event e JOIN ${table} r ON r.account_id = e.account_id AND r.id::text = e.resource_id
     WHERE e.resource_id = $1 ORDER BY e.sequence`,
    [id],
  )
}
