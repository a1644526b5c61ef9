// Payment links in the form of requests, and their rows.

import type { TestService } from './test-service.ts'

/** A link with every field. */
export const FULL_LINK = {
  common_name: 'Coffee — 250 g',
  amount: 12.5,
  active: false,
  link_meta: {
    memo: 'A bag of beans\nfrom the hills',
    successRedirect: 'https://shop.example/thanks?a=1',
    isTotalEditable: false,
    colour: { of: ['ours'] },
  },
  meta: { nested: { list: [1, 'two', null, true] } },
}

/** 32 hexadecimal characters that no link has. */
export const UNKNOWN_LINK = '0123456789abcdef0123456789abcdef'

/** The events of a link, from the first on. */
export function linkEvents(service: TestService, id: string) {
  return service.world.db.query(
    `SELECT e.type, e.sequence, e.snapshot, e.request_id, e.xmin = l.xmin AS same_commit
     FROM event e JOIN payment_link l ON l.account_id = e.account_id AND l.id = e.resource_id
     WHERE e.resource_id = $1 ORDER BY e.sequence`,
    [id],
  )
}
