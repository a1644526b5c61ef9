// The story of one invoice: its events, its messages and the actions of operators.

import { capitalized } from '../../core/sentence.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Event } from '../../generated/client.ts'
import { listAuditEntries } from '../../operators/audit-entries.ts'
import type { Operator } from '../../operators/session.ts'
import type { World } from '../../world.ts'
import { withoutTokens } from '../parts/payers-pages.ts'
import { shownJson } from '../parts/shown-json.ts'
import type { TimelineEntry, Tone } from '../parts/timeline.tsx'
import { ofAuditEntry, ofDelivery, snapshotChanges } from '../transactions/story.ts'
import { invoiceStateWords } from './list.tsx'

/** An invoice with more of them shows the newest. */
const MOST = 100

export async function invoiceStory(
  world: World,
  { accountId, id }: RowKey,
  operator: Operator,
): Promise<readonly TimelineEntry[]> {
  const { prisma } = world.db
  const [newest, actions] = await Promise.all([
    prisma.event.findMany({
      where: { accountId, resourceId: id },
      orderBy: { sequence: 'desc' },
      take: MOST,
    }),
    listAuditEntries(world, MOST, { subject: id }),
  ])
  const events = newest.toReversed()
  const subjects = [id, ...events.map((event) => event.id)]
  const deliveries = await prisma.delivery.findMany({
    where: { accountId, subjectId: { in: subjects } },
    orderBy: { id: 'desc' },
    take: MOST,
  })
  // Entries of the same instant keep this order.
  return [
    ...events.map((event, i) => ofEvent(event, events[i - 1], operator)),
    ...actions.map(ofAuditEntry),
    ...deliveries.toReversed().flatMap((delivery) => ofDelivery(delivery, events, 'Message')),
  ]
}

const TONES: Readonly<Record<string, Tone>> = {
  DRAFT: 'plain',
  PAID: 'good',
  ATTEMPTED: 'bad',
  DELETED: 'bad',
}

function ofEvent(event: Event, before: Event | undefined, operator: Operator): TimelineEntry {
  const [status, old] = [statusOf(event), before && statusOf(before)]
  const words = status === old ? 'updated' : invoiceStateWords(status)
  return {
    at: event.createdAt,
    isOfAccount: true,
    id: event.id,
    title: event.type === 'create_invoice' ? 'Created' : capitalized(words),
    tone: status === old ? 'plain' : (TONES[status] ?? 'wait'),
    lines: before === undefined ? [] : snapshotChanges(before.snapshot, event.snapshot),
    snapshot: withoutTokens(shownJson(event.snapshot), operator),
  }
}

function statusOf({ snapshot }: Event): string {
  return String(Object(snapshot).status)
}
