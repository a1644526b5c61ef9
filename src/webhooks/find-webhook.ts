import { Refusal } from '../core/errors.ts'
import type { Webhook } from '../generated/client.ts'
import type { World } from '../world.ts'

/** One that is deleted is not found, as one that never was. */
export async function findWebhook(world: World, accountId: string, id: string): Promise<Webhook> {
  const where = { accountId_id: { accountId, id }, deletedAt: null }
  const found = await world.db.prisma.webhook.findUnique({ where })
  if (found === null) throw new Refusal('not_found')
  return found
}

/** What is owed to one that is disabled is not sent to it. */
export function refuseDisabled({ status }: Webhook): void {
  if (status === 'disabled') {
    throw new Refusal('wrong_state', { message: 'the webhook is disabled; enable it first' })
  }
}
