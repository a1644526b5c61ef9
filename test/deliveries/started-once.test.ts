// Receipts and events are looked for once after each charge: by the worker that has made it, or, if
// none has, by the API server, which has then written the event of the PENDING payment.

import { afterEach, expect, it, vi } from 'vitest'
import { soon } from '../support/soon.ts'
import { call, openTestService, type TestService } from '../support/test-service.ts'

const LOOKS = 'due-channels'

let service: TestService
afterEach(() => service.close())

const CHARGES = 3

/** Charges one after the other, and returns how often due deliveries were looked for so far. */
async function looksAfterCharges(): Promise<() => number> {
  const merchant = await service.merchant()
  const card = await service.card(merchant)
  const asked = vi.spyOn(service.world.db, 'ask')
  const body = { total: 5, payment_method_id: card }
  for (let made = 0; made < CHARGES; made += 1) {
    expect((await call(service.app, 'POST', '/charge', merchant.headers, body)).status).toBe(200)
  }
  return () => asked.mock.calls.filter(([statement]) => statement.name === LOOKS).length
}

it('the worker that has made the charge looks for them', async () => {
  service = await openTestService()
  const looks = await looksAfterCharges()
  await soon(() => expect(looks()).toBe(CHARGES))
})

it('the API server looks for them if no worker has made the charge in time', async () => {
  service = await openTestService({ queues: [], settings: { CHARGE_WAIT_MS: '100ms' } })
  const looks = await looksAfterCharges()
  await soon(() => expect(looks()).toBe(CHARGES))
})
