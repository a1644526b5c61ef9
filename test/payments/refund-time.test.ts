// From when on a transaction can be refunded, and who needs which feature for it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { type MovableClock, movableClock } from '../support/end-windows.ts'
import {
  booked,
  openPaymentsApi,
  type PaymentsApi,
  paymentsApiOf,
} from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'

describe('a refund in the sandbox', () => {
  let api: PaymentsApi
  let clock: MovableClock

  beforeAll(async () => {
    clock = movableClock()
    api = await openPaymentsApi({ clock })
    moveTo('2027-01-15T17:00:00Z')
  })
  afterAll(() => api.service.close())

  const moveTo = (instant: string) =>
    clock.move(new Date(instant).getTime() - clock.now().getTime())

  const batchedAt = async (instant: string) => {
    const id = await api.paid()
    await takeIntoBatch(api.service, [id], new Date(instant))
    return id
  }

  it.each([
    ['in the evening before', '2027-01-15T01:00:00.000Z'],
    ['a moment before midnight', '2027-01-15T04:59:59.999Z'],
  ])('is possible if its charge was batched %s', async (_, instant) => {
    const id = await batchedAt(instant)
    expect((await api.get(id)).body.is_refundable).toBe(true)
    expect((await api.ask(id, 'refund')).body.total_refunded).toBe(10)
  })

  it.each([
    ['at midnight', '2027-01-15T05:00:00.000Z'],
    ['an hour ago', '2027-01-15T16:00:00.000Z'],
  ])('is not yet possible if its charge was batched %s', async (_, instant) => {
    const id = await batchedAt(instant)
    expect((await api.get(id)).body).toMatchObject({ is_voidable: false, is_refundable: false })
    expectRefusal(await api.ask(id, 'refund'), 409, 'not_refundable_yet')
    expectRefusal(await api.ask(id, 'void-or-refund'), 409, 'not_refundable_yet')
    expectRefusal(await api.ask(id, 'void'), 409, 'already_batched')
    expect(await booked(api.service, id)).toEqual([])
  })

  it('becomes possible at midnight Eastern', async () => {
    const id = await batchedAt('2027-01-16T01:00:00.000Z')
    moveTo('2027-01-16T04:59:30.000Z')
    expectRefusal(await api.ask(id, 'refund'), 409, 'not_refundable_yet')
    moveTo('2027-01-16T05:00:00.000Z')
    expect((await api.get(id)).body.is_refundable).toBe(true)
    expect((await api.ask(id, 'void-or-refund')).body.total_refunded).toBe(10)
  })
})

describe('a refund of a card-present charge', () => {
  const CARD_PRESENT = { channel: 'card_present' }

  let api: PaymentsApi
  let enabled: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi()
    const merchant = await api.service.merchant()
    await setTeam(api.service.world, merchant.teamId, ['settlement_tokenization_enabled=true'])
    enabled = paymentsApiOf(api.service, merchant, await api.service.card(merchant))
  })
  afterAll(() => api.service.close())

  it.each(['refund', 'void-or-refund'] as const)(
    'by /%s needs Settlement Tokenization',
    async (operation) => {
      const id = await api.paid(CARD_PRESENT)
      await takeIntoBatch(api.service, [id])
      expect((await api.get(id)).body.is_refundable).toBe(false)
      expectRefusal(await api.ask(id, operation), 409, 'settlement_tokenization_required')
      expect(await booked(api.service, id)).toEqual([])
    },
  )

  it('is possible with Settlement Tokenization', async () => {
    const id = await enabled.paid(CARD_PRESENT)
    await takeIntoBatch(enabled.service, [id])
    expect((await enabled.get(id)).body.is_refundable).toBe(true)
    expect((await enabled.ask(id, 'refund')).body.total_refunded).toBe(10)
  })

  it('needs it for a capture, too', async () => {
    const id = await api.authorised(CARD_PRESENT)
    await api.ask(id, 'capture')
    const capture = await api.childOf(id, 'capture')
    await takeIntoBatch(api.service, [capture.id])
    expect((await api.get(capture.id)).body.is_refundable).toBe(false)
    expectRefusal(await api.ask(capture.id, 'refund'), 409, 'settlement_tokenization_required')
  })

  it('does not need it before the batch, when a void is enough', async () => {
    const id = await api.paid(CARD_PRESENT)
    expect((await api.get(id)).body.is_voidable).toBe(true)
    expect((await api.ask(id, 'void-or-refund')).body.is_voided).toBe(true)
  })

  it.each(['web', 'CARD_PRESENT_NOT', null])(
    'with the channel %j needs nothing',
    async (channel) => {
      const id = await api.paid({ channel })
      await takeIntoBatch(api.service, [id])
      expect((await api.ask(id, 'refund')).body.total_refunded).toBe(10)
    },
  )
})
