// Every page of the console, found from link to link as an operator does.

import { writeAuditEntry } from '../../src/operators/audit-entries.ts'
import { insertDeliveries } from './delivery-rows.ts'
import { insertHeartbeat, insertWork } from './heartbeats.ts'
import type { SampleMerchant } from './samples.ts'

/** A page looks the same with these: a list has fewer rows, or others first. */
const ALIKE = [
  ...['from', 'order', 'sort', 'team', 'to'],
  ...['channel', 'key', 'operator', 'range', 'recipient', 'state', 'status', 'subject'],
]

/**
 * Visits one page of each kind: pages of the same kind with different subjects are alike. `look`
 * answers the links of its page.
 */
export async function crawl(
  from: string,
  look: (path: string, kind: string) => Promise<readonly string[]>,
): Promise<void> {
  const seen = new Set<string>()
  const waiting = [from]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path)
    if (seen.has(kind)) continue
    seen.add(kind)
    const links = await look(path, kind)
    // The board, which is not ours, has a test of its own.
    waiting.push(...links.filter((link) => !link.startsWith('/admin/queues')))
  }
}

function kindOf(path: string): string {
  const [place = '', query = ''] = path.split('?')
  const names = [...new URLSearchParams(query).keys()].filter((name) => !ALIKE.includes(name))
  return `${place.replace(/[0-9a-f-]{32,36}/g, '{id}')}?${names.sort().join()}`
}

/** Makes a resource of every kind that a page can show. */
export async function fillConsole({ make, service, merchant }: SampleMerchant): Promise<void> {
  for (const thing of Object.values(make)) await thing()
  const { accountId } = merchant
  const letter = { accountId, deliveryId: service.world.newId(), channel: 'email' as const }
  await service.world.db.prisma.outboxMessage.create({
    data: {
      ...letter,
      id: service.world.newId(),
      recipient: '',
      text: '',
      html: '',
      createdAt: new Date(),
    },
  })
  const idIn = async (table: string) => {
    const text = `SELECT id FROM ${table} WHERE account_id = $1 LIMIT 1`
    const [row] = await service.world.db.query(text, [accountId])
    return String(row?.id)
  }
  const ofEmail = { channel: 'email', subjects: [await idIn('transaction')] } as const
  const subjects = [await idIn('event')]
  const ofWebhook = { channel: 'webhook', subjects, endpoint: await idIn('webhook') } as const
  for (const [status, of] of [
    ['sent', ofEmail],
    ['parked', { ...ofEmail, channel: 'sms' }],
    ['parked', ofWebhook],
  ] as const) {
    await insertDeliveries(service, accountId, 1, { ...of, status })
  }
  await insertHeartbeat(service.world)
  const charge = { rows: 100, failed: 0, jobs: 50, runSeconds: 1, waitSeconds: 0 }
  await insertWork(service.world, { queues: { charge } })
  const by = { name: 'Ada', address: '192.0.2.1' }
  await writeAuditEntry(service.world, by, { action: 'team changed', subject: merchant.teamId })
}
