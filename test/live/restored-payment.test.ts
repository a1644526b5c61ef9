// A payment that waited for its worker when a backup was made, and that the gateway made after it:
// once the backup is restored, its row knows nothing of that.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { after, HOUR } from '../../src/core/time-units.ts'
import { readStripeToken } from '../../src/outside/gateway/stripe/token.ts'
import { makeCharge } from '../../src/payments/make/make-payment.ts'
import { clientOf, PAYMENT } from '../stripe/client.ts'
import { type LiveService, openLiveService } from './live-service.ts'

let offsetMs: number
let live: LiveService

beforeEach(async () => {
  offsetMs = 0
  const clock = { now: () => after(new Date(), offsetMs) }
  live = await openLiveService({ clock, queues: [] })
})
afterEach(() => live[Symbol.asyncDispose]())

/** A charge that no worker has taken yet. */
async function waitingCharge() {
  const card = await live.method('pm_card_visa')
  const { body } = await live.post('/charge', { total: 5, payment_method_id: card })
  const id: string = body.id
  const { prisma } = live.service.world.db
  const row = await prisma.transaction.findFirstOrThrow({
    where: { id },
    include: { paymentMethod: true },
  })
  return { id, token: readStripeToken(`${row.paymentMethod.gatewayToken}`) }
}

/** The same order as a worker sends it, in the time that is lost. */
async function madeAtGateway({ id, token }: Awaited<ReturnType<typeof waitingCharge>>) {
  const metadata = {
    lamplighter_id: id,
    lamplighter_account: live.merchant.accountId,
    lamplighter_operation: 'charge',
  }
  const intent = await clientOf(live.stripe).paymentIntents.create(
    { ...PAYMENT, customer: token.customer, payment_method: token.method, metadata },
    { idempotencyKey: `${id}:create` },
  )
  return intent.id
}

async function madeAfter(ms: number, id: string) {
  offsetMs += ms
  await live.stripe.advance(ms)
  const { accountId } = live.merchant
  const { world } = live.service
  await makeCharge(world, { accountId, id }, new AbortController().signal)
  return (await live.get(`/transaction/${id}`)).body
}

const payments = () => live.stripe.ledger().filter(({ kind }) => kind === 'payment')

describe.each([4, 30])('%d hours later, after its deadline', (hours) => {
  it('succeeds, since the gateway has made it', async () => {
    const charge = await waitingCharge()
    const authId = await madeAtGateway(charge)
    const made = await madeAfter(hours * HOUR, charge.id)
    expect(made).toMatchObject({ status: 'SUCCESS', auth_id: authId })
    expect(payments()).toHaveLength(1)
  })

  it('is FAILED, and not made, if the gateway has not made it', async () => {
    const { id } = await waitingCharge()
    const message = 'The gateway had not made it by its deadline'
    expect(await madeAfter(hours * HOUR, id)).toMatchObject({ status: 'FAILED', message })
    expect(payments()).toEqual([])
  })
})
