// Bank accounts of live payments: one that Stripe has not verified, and a debit that is canceled.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nudgeOverduePayments } from '../../src/upkeep/sweep.ts'
import { soon } from '../support/soon.ts'
import { type LiveService, openLiveService } from './live-service.ts'

describe('a bank account at Stripe', () => {
  let live: LiveService

  beforeAll(async () => {
    live = await openLiveService()
  })
  afterAll(() => live[Symbol.asyncDispose]())

  const charge = async (token: string) =>
    live.post('/charge', { total: 25, payment_method_id: await soon(() => live.method(token)) })

  const moveOf = (id: unknown) => live.stripe.ledger().find((one) => one.id === id)

  it('that is not verified is declined at once, and Stripe waits for no deposits', async () => {
    const { id } = (await charge('pm_usBankAccount_unverified')).body
    const made = await soon(() => live.outcome(id))
    expect(made).toMatchObject({
      status: 'FAILED',
      decline_code: 'bank_account_unusable',
      retry: 'never',
      message: 'The bank account is not verified, which would take days by small deposits',
    })
    const tookMs = Date.parse(`${made.updated_at}`) - Date.parse(`${made.created_at}`)
    expect(tookMs).toBeLessThan(20 * 60_000)
    expect(moveOf(made.auth_id)).toMatchObject({ state: 'canceled', isPaid: false })
  })

  it('whose debit a person cancels at Stripe says so, and not that a hold ended', async () => {
    const { id } = (await charge('pm_usBankAccount_processing')).body
    const { db } = live.service.world
    const name = await soon(async () => {
      const { authId } = await db.prisma.transaction.findFirstOrThrow({ where: { id } })
      expect(authId).not.toBeNull()
      return authId
    })
    const answer = await fetch(`${live.stripe.url}/v1/payment_intents/${name}/cancel`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${live.stripe.secretKey}:`)}` },
    })
    expect(answer.status).toBe(200)
    await db.prisma.transaction.updateMany({ where: { id }, data: { dueAt: new Date() } })
    await nudgeOverduePayments(live.service.world)
    expect(await live.outcome(id)).toMatchObject({
      status: 'FAILED',
      decline_code: 'canceled',
      message: 'The payment was canceled at the gateway',
    })
  })
})
