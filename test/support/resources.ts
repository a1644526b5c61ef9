// One resource of every kind that an account may have and an id may name.

import { insertBatch } from './batch-rows.ts'
import { insertDispute, insertReversal } from './disputes.ts'
import { makePending } from './payments.ts'
import type { Kind } from './route-table.ts'
import type { Merchant, TestService } from './test-service.ts'
import { call } from './test-service.ts'

export type Resources = Readonly<Record<Kind, string>>

export async function makeOneOfEach(service: TestService, whose: Merchant): Promise<Resources> {
  const { card, customer, transaction } = await makePending(service, whose)
  const link = { common_name: 'Link' }
  const { body } = await call(service.app, 'POST', '/payment-link', whose.headers, link)
  const bill = { total: 10, customer_id: customer, payment_method_id: card }
  const invoice = await call(service.app, 'POST', '/invoice', whose.headers, bill)
  const plan = { total: 10, rule: 'FREQ=MONTHLY', customer_id: customer }
  const schedule = await call(service.app, 'POST', '/invoice/schedule', whose.headers, plan)
  const item = await call(service.app, 'POST', '/item', whose.headers, { item: 'Coffee' })
  return {
    customer,
    payment_method: card,
    payment_link: body.id,
    transaction,
    invoice: invoice.body.id,
    item: item.body.id,
    schedule: schedule.body.id,
    batch: await insertBatch(service, whose),
    dispute: await insertDispute(service.world, transaction),
    reversal: await insertReversal(service.world, transaction),
    webhook: await insertWebhook(service, whose),
  }
}

/** A disabled webhook, as a row: its address is never called. */
async function insertWebhook({ world }: TestService, { accountId }: Merchant): Promise<string> {
  const [made] = await world.db.query(
    `INSERT INTO webhook (account_id, id, target_url, events, status, secret, created_at, updated_at)
     VALUES ($1, $2, 'https://shop.example.com/', '{*}', 'disabled', 'whsec_', $3, $3)
     RETURNING id`,
    [accountId, world.newId(), world.clock.now()],
  )
  return made?.id
}

/** The row as text, so that any change shows. */
export async function rowOf(service: TestService, kind: Kind, id: string): Promise<string> {
  const [found] = await service.world.db.query(
    `SELECT r::text AS row FROM ${kind} r WHERE id = $1`,
    [id],
  )
  return found?.row
}
