// Request handling that all page routes share.

import type { FastifyRequest } from 'fastify'
import { isFromElsewhere, STRANGERS_FORM_BYTES } from '../web/forms.ts'
import { PayerRefusal, unknownPage } from './payment-refusals.ts'

/** The limit is far above what a page sends. */
export const FORM_ROUTE = { bodyLimit: STRANGERS_FORM_BYTES }

const NAME = /^[0-9a-f]{32}$/i

export function isPageName(text: string): boolean {
  return NAME.test(text)
}

/** Returns the name of a link or bill in lower case, as it is stored. */
export function nameOfPage(text: string): string {
  if (!isPageName(text)) throw unknownPage()
  return text.toLowerCase()
}

export function refuseFromElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  throw new PayerRefusal(403, ({ refusals }) => refusals.fromElsewhere)
}
