// A schedule is deleted while its payment is at the gateway.

import { expect, it } from 'vitest'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { makeCharge } from '../../src/payments/make/make-payment.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { openSchedules, PATH } from '../support/schedules.ts'

it('a payment that is declined after its schedule was deleted plans no retry', async () => {
  let whileAsked = async () => {}
  const withGateway = (sandbox: Gateway): Gateway => ({
    ...sandbox,
    async carryOut(order, signal) {
      await whileAsked()
      return sandbox.carryOut(order, signal)
    },
  })
  await using schedules = await openSchedules({ cardNumber: DECLINED_CARD, withGateway })
  const { world } = schedules.service
  const schedule = await schedules.made()
  schedules.clock.at = new Date(Date.parse(schedule.next_run_at) + 1_000)
  await runDueSchedules(world)
  whileAsked = async () => {
    const answer = await schedules.ask('DELETE', `${PATH}/${schedule.id}`)
    expect(answer.body.status).toBe('deleted')
  }
  const [payment] = await world.db.query('SELECT account_id, id FROM transaction')
  const item = { accountId: payment?.account_id, id: payment?.id }
  await makeCharge(world, item, new AbortController().signal)
  const [invoice] = await world.db.query('SELECT status, retry_at FROM invoice')
  expect(invoice).toEqual({ status: 'ATTEMPTED', retry_at: null })
})
