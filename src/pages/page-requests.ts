// Request handling that all page routes share.

import type { FastifyRequest } from 'fastify'
import { isFromElsewhere } from '../web/from-elsewhere.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import { localeOf } from './locale.ts'
import type { Viewer } from './parts/shown.tsx'
import type { Payee } from './payee.ts'
import { unknownPage } from './standing.ts'

export const PAGE_ROUTE = { schema: { hide: true } }

/** The limit is far above what a page sends. */
export const FORM_ROUTE = { ...PAGE_ROUTE, bodyLimit: 16 * 1024 }

const NAME = /^[0-9a-f]{32}$/i

/** Returns the name of a link or bill in lower case, as it is stored. */
export function nameOfPage(text: string): string {
  if (!NAME.test(text)) throw unknownPage()
  return text.toLowerCase()
}

export function viewerOf({ headers }: FastifyRequest, { timezone }: Payee): Viewer {
  return { locale: localeOf(headers['accept-language']), timezone }
}

export function refuseFromElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  const message = 'The request came from another site. You were not charged.'
  throw new PageRefusal(403, 'Request refused', message)
}
