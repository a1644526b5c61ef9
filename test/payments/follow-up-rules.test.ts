// What the database itself refuses about voids, refunds, captures, batches and manual records,
// whichever program asks. Each refusal names its rule, and has a control.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { makeFinal, makePending, ruleAgainst } from '../support/payments.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** An id is enough: no constraint looks for the void's row. */
const A_VOID = `void_id = '01941f29-7c00-7000-8000-000000000009'`
const ANOTHER = `void_id = '01941f29-7c00-7000-8000-00000000000a'`
const A_BATCH = `batch_id = '01941f29-7c00-7000-8000-000000000008', batched_at = '2026-01-01Z'`
const THE_BATCH = `
  INSERT INTO batch (account_id, id, business_date, cutoff_at, timezone, created_at)
  VALUES ($1, '01941f29-7c00-7000-8000-000000000008', '2025-12-31', '2026-01-01Z', 'UTC', '2026-01-01Z')`

describe('the rules of the database', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    await service.world.db.query(THE_BATCH, [merchant.accountId])
  })
  afterAll(() => service.close())

  const change = async (id: string, columns: string) =>
    service.world.db.query(`UPDATE transaction SET ${columns} WHERE id = $1`, [id])

  const charge = () => makeFinal(service, merchant, 'SUCCESS')

  const batched = async () => {
    const id = await charge()
    await takeIntoBatch(service, [id])
    return id
  }

  const preAuth = async () => {
    const { transaction } = await makePending(service, merchant)
    const decided = `status = 'SUCCESS', owed = NULL, due_at = NULL, outcome_sequence = 1`
    await change(transaction, `type = 'pre_auth', ${decided}`)
    return transaction
  }

  const pending = async () => (await makePending(service, merchant)).transaction

  const pendingRefund = async () => {
    const id = await pending()
    await change(id, `type = 'refund', reference_id = '${await batched()}', owed = 'refund'`)
    return id
  }

  const SUMS = 'transaction_sums_hold'

  it.each([
    ['captured = total', undefined],
    ['reserved = total', undefined],
    ['captured = 1, reserved = total - 1', undefined],
    ['captured = total + 1', SUMS],
    ['reserved = total + 1', SUMS],
    ['captured = total, reserved = 1', SUMS],
    ['captured = total, refunded = 1', SUMS],
    ['captured = -1', SUMS],
    ['reserved = -1', SUMS],
  ])('hold the sums of a pre_auth: %s', async (columns, rule) => {
    expect(await ruleAgainst(service, await preAuth(), columns)).toBe(rule)
  })

  it.each([
    ['refunded = 1', 'transaction_refund_needs_batch'],
    ['reserved = 1', 'transaction_refund_needs_batch'],
    ['refunded = captured', 'transaction_refund_needs_batch'],
  ])('let nothing be refunded before it is in a batch: %s', async (columns, rule) => {
    expect(await ruleAgainst(service, await charge(), columns)).toBe(rule)
    expect(await ruleAgainst(service, await batched(), columns)).toBeUndefined()
  })

  const WHOLE = 'transaction_void_is_whole'

  it.each<[what: string, make: () => Promise<string>, columns: string, rule: string | undefined]>([
    ['a charge', charge, A_VOID, undefined],
    ['a charge, done', charge, `${A_VOID}, is_voided = true`, undefined],
    ['a pre_auth', preAuth, A_VOID, undefined],
    ['a batched charge', batched, A_VOID, 'transaction_batch_is_open'],
    ['one that a batch takes', charge, `${A_VOID}, ${A_BATCH}`, WHOLE],
    ['a captured pre_auth', preAuth, `${A_VOID}, captured = 1`, WHOLE],
    ['a pre_auth being captured', preAuth, `${A_VOID}, reserved = 1`, WHOLE],
    ['one that is PENDING', pending, A_VOID, WHOLE],
    ['one that has FAILED', () => makeFinal(service, merchant, 'FAILED'), A_VOID, WHOLE],
    ['a refund', pendingRefund, A_VOID, WHOLE],
    ['a charge, by nothing', charge, 'is_voided = true', 'transaction_voided_by_a_void'],
  ])('of voids hold: %s', async (_, make, columns, rule) => {
    expect(await ruleAgainst(service, await make(), columns)).toBe(rule)
  })

  it.each([
    [`batch_id = '01941f29-7c00-7000-8000-000000000008'`, 'transaction_batched_at'],
    [`batched_at = '2026-01-01Z'`, 'transaction_batched_at'],
    [A_BATCH, undefined],
  ])('let a batch and its instant only come together: %s', async (columns, rule) => {
    expect(await ruleAgainst(service, await charge(), columns)).toBe(rule)
  })

  const FINAL = 'transaction_is_final'

  it.each([
    ["business_date = '2026-03-03'", 'transaction_batch_is_open'],
    ['updated_at = updated_at', undefined],
  ])('keep a transaction in its batch: %s', async (columns, rule) => {
    expect(await ruleAgainst(service, await batched(), columns)).toBe(rule)
  })

  it.each([
    ['void_id = NULL, is_voided = false', FINAL],
    [ANOTHER, FINAL],
    [`is_voided = false, ${A_VOID}`, FINAL],
    ['message = NULL', undefined],
  ])('keep a voided transaction voided: %s', async (columns, rule) => {
    const id = await charge()
    await change(id, `${A_VOID}, is_voided = true`)
    expect(await ruleAgainst(service, id, columns)).toBe(rule)
  })

  it('free the amount of a void that failed', async () => {
    const id = await charge()
    await change(id, A_VOID)
    expect(await ruleAgainst(service, id, 'void_id = NULL')).toBeUndefined()
    await takeIntoBatch(service, [id])
    expect(await ruleAgainst(service, id, 'refunded = captured')).toBeUndefined()
  })

  it.each([
    [`created_at = '2026-01-01Z'`, FINAL],
    [`method = 'bank'`, FINAL],
    [`payment_link_id = '${'0'.repeat(32)}'`, FINAL],
  ])('keep a final transaction as it was made: %s', async (columns, rule) => {
    expect(await ruleAgainst(service, await charge(), columns)).toBe(rule)
  })

  it.each<[what: string, make: () => Promise<string>, columns: string, rule: string | undefined]>([
    ['a charge owes a refund', pending, `owed = 'refund'`, 'transaction_owed_is_known'],
    ['a charge is in doubt', pending, `owed = 'doubt'`, undefined],
    ['a refund owes a charge', pendingRefund, `owed = 'charge'`, 'transaction_owed_is_known'],
    ['a refund is in doubt', pendingRefund, `owed = 'doubt'`, undefined],
    ['a refund has no parent', pendingRefund, 'reference_id = NULL', 'transaction_parent'],
    ['a charge has a parent', pending, 'reference_id = id', 'transaction_parent'],
    [
      'a charge has no gateway',
      pending,
      'gateway_name = NULL',
      'transaction_manual_has_no_gateway',
    ],
    ['by hand, at a gateway', pending, 'is_manual = true', 'transaction_manual_has_no_gateway'],
    ['by hand, without', pending, 'is_manual = true, gateway_name = NULL', undefined],
    [
      'by hand, a refund without a parent',
      pending,
      `is_manual = true, gateway_name = NULL, type = 'refund', owed = 'refund'`,
      undefined,
    ],
    [
      'by hand, a refund with a parent',
      pendingRefund,
      'is_manual = true, gateway_name = NULL',
      'transaction_parent',
    ],
  ])('allow possible rows only: %s', async (_, make, columns, rule) => {
    expect(await ruleAgainst(service, await make(), columns)).toBe(rule)
  })

  it.each([
    ['customer_id = NULL'],
    ['gateway_name = NULL'],
    ['gateway_token = NULL'],
    [`method = 'cash'`],
  ])('refuse a card without the columns of a card: %s', async (columns) => {
    const { card } = await makePending(service, merchant)
    const update = service.world.db.query(`UPDATE payment_method SET ${columns} WHERE id = $1`, [
      card,
    ])
    await expect(update).rejects.toMatchObject({ constraint: 'payment_method_built_in' })
  })

  it('let an account have one built-in method of each kind', async () => {
    const insert = (method: string) =>
      service.world.db.query(
        `INSERT INTO payment_method (account_id, id, method, person_name, is_default, meta,
           created_at, updated_at)
         VALUES ($1, $2, $3, 'Cash', false, '{}', '2026-01-01Z', '2026-01-01Z')`,
        [merchant.accountId, service.world.newId(), method],
      )
    await insert('cash')
    await insert('check')
    const rule = { constraint: 'payment_method_one_built_in' }
    await expect(insert('cash')).rejects.toMatchObject(rule)
    await expect(insert('check')).rejects.toMatchObject(rule)
  })
})
