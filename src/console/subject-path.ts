// The page of what a deed was done to, as far as there is one.

import { isId } from '../core/id.ts'
import type { Deed } from '../generated/client.ts'
import { QUEUE_NAMES } from '../queue/catalogue.ts'

/** By the first word of the deed: `schedule paused` was done to a schedule. */
const OF_AN_ACCOUNT: Readonly<Record<string, string>> = {
  batch: '/admin/batches',
  payment: '/admin/transactions',
  refund: '/admin/transactions',
  schedule: '/admin/schedules',
  transaction: '/admin/transactions',
  void: '/admin/transactions',
  'void-or-refund': '/admin/transactions',
}

export function subjectPath(of: Pick<Deed, 'deed' | 'subject' | 'detail'>): string | undefined {
  const { subject } = of
  if (QUEUE_NAMES.some((name) => name === subject)) return `/admin/queues/queue/${subject}`
  if (subject === null || !isId(subject)) return undefined
  const [first = ''] = of.deed.split(' ')
  const { account, team } = of.detail as Readonly<Record<string, unknown>>
  if (first === 'team') return `/admin/teams/${subject}`
  if (first === 'key' && isIdText(team)) return `/admin/teams/${team}/keys/${subject}`
  const place = Object.hasOwn(OF_AN_ACCOUNT, first) ? OF_AN_ACCOUNT[first] : undefined
  return place === undefined || !isIdText(account) ? undefined : `${place}/${account}/${subject}`
}

function isIdText(value: unknown): value is string {
  return typeof value === 'string' && isId(value)
}
