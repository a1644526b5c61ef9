// What the deliveries of an endpoint are signed with, in the form of the Standard Webhooks
// specification.

import { randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** What the specification asks for at least, and what needs no padding. */
const SECRET_BYTES = 24

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}
