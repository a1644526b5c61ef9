// Request handling that all page routes share.

import type { FastifyRequest } from 'fastify'
import { isLinkId } from '../core/id.ts'
import { isFromElsewhere } from '../web/forms.ts'
import { PayerRefusal, unknownPage } from './payment-refusals.ts'

/** Returns the name of a link or bill in lower case, as it is stored. */
export function nameOfPage(text: string): string {
  if (!isLinkId(text)) throw unknownPage()
  return text.toLowerCase()
}

export function refuseFromElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  throw new PayerRefusal(403, ({ refusals }) => refusals.fromElsewhere)
}
