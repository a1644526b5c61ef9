// What the routes of the pages have in common: how they are asked.

import type { FastifyRequest } from 'fastify'
import { isFromElsewhere } from '../web/from-elsewhere.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import { localeOf } from './locale.ts'
import type { Viewer } from './parts/shown.tsx'
import type { Payee } from './payee.ts'
import { unknownPage } from './standing.ts'

export const HIDDEN = { schema: { hide: true } }

/** Of what a page sends: far more than it is. */
export const POSTED = { ...HIDDEN, bodyLimit: 16 * 1024 }

const NAME = /^[0-9a-f]{32}$/i

/** Of a link, and of a bill: as it is kept. */
export function nameOfPage(text: string): string {
  if (!NAME.test(text)) throw unknownPage()
  return text.toLowerCase()
}

export function viewerOf({ headers }: FastifyRequest, { timezone }: Payee): Viewer {
  return { locale: localeOf(headers['accept-language']), timezone }
}

export function refuseForged(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  const message = 'It came from a page that is not ours. Nothing was charged.'
  throw new PageRefusal(403, 'That was not sent from here', message)
}
