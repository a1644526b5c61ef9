// A receipt that is requested again with the same key: nothing more is sent.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import {
  apiWithRecipient,
  askReceipt,
  changeCustomer,
  EMAIL,
  recipientsOf,
} from '../support/receipts.ts'
import { expectRefusal } from '../support/requests.ts'
import { call } from '../support/test-service.ts'

const KEY = 'idempotency-key'

describe('a receipt with an idempotency key', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    const { service } = await openPaymentsApi({ queues: ['charge', 'refund', 'doubt'] })
    api = await apiWithRecipient(service)
  })
  afterAll(() => api.service.close())

  const newKey = () => api.service.world.newId()

  const updatesOf = async (id: string) =>
    (await api.events(id)).filter(({ type }) => type === 'update_transaction').length

  it.each<[string, (key: string) => readonly [body: object, headers: Record<string, string>]]>([
    ['in the header', (key) => [{ ccEmails: ['b@example.com'] }, { [KEY]: key }]],
    ['in the body', (key) => [{ ccEmails: ['b@example.com'], idempotency_id: key }, {}]],
    ['in both', (key) => [{ idempotency_id: key }, { [KEY]: key }]],
  ])('%s is sent once, and the answer is repeated', async (_, requestWith) => {
    const id = await api.paid()
    const [body, headers] = requestWith(newKey())
    const first = await askReceipt(api, id, 'email', body, headers)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined])
    const recipients = await recipientsOf(api, id)
    // The old answer does not show later changes of the transaction.
    expect((await api.ask(id, 'void')).status).toBe(200)
    const updates = await updatesOf(id)
    const again = await askReceipt(api, id, 'email', body, headers)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await recipientsOf(api, id)).toEqual(recipients)
    expect(await updatesOf(id)).toBe(updates)
  })

  it('is the same receipt by each way of requesting it', async () => {
    const id = await api.paid()
    const headers = { ...api.merchant.headers, [KEY]: newKey() }
    const answers = []
    for (const [method, path] of [
      ['POST', 'receipt/email'],
      ['PUT', 'receipt/email'],
      ['POST', 'receipt-email'],
      ['PUT', 'receipt-email'],
    ] as const) {
      const url = `/transaction/${id}/${path}`
      answers.push(await call(api.service.app, method, url, headers, {}))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { text } of answers) expect(text).toBe(answers[0]?.text)
    expect(await recipientsOf(api, id)).toEqual([`email ${EMAIL}`])
  })

  it('is sent once though many requests come at the same moment', async () => {
    const id = await api.paid()
    const headers = { [KEY]: newKey() }
    const ask = () => askReceipt(api, id, 'sms', {}, headers)
    const answers = await Promise.all(Array.from({ length: 6 }, ask))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const replayed = answers.filter(({ headers: own }) => own['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(5)
    expect(await recipientsOf(api, id)).toHaveLength(1)
    expect(await updatesOf(id)).toBe(1)
  })

  it('conflicts with every other request of that key', async () => {
    const [id, other] = [await api.paid(), await api.paid()]
    const headers = { [KEY]: newKey() }
    const first = await askReceipt(api, id, 'email', { ccEmails: ['b@example.com'] }, headers)
    expect(first.status).toBe(200)
    for (const answer of [
      await askReceipt(api, id, 'email', {}, headers),
      await askReceipt(api, id, 'email', { ccEmails: ['c@example.com'] }, headers),
      await askReceipt(api, other, 'email', { ccEmails: ['b@example.com'] }, headers),
      await askReceipt(api, id, 'sms', {}, headers),
      await api.ask(id, 'void', {}, headers),
      await api.charge({}, headers),
    ]) {
      expectRefusal(answer, 409, 'idempotency_conflict')
    }
    expect(await recipientsOf(api, id)).toHaveLength(2)
    expect(await recipientsOf(api, other)).toEqual([])
  })

  it('says which of its fields differ', async () => {
    const id = await api.paid()
    const headers = { [KEY]: newKey() }
    await askReceipt(api, id, 'email', { ccEmails: ['b@example.com'] }, headers)
    const answer = await askReceipt(api, id, 'email', { ccEmails: ['c@example.com'] }, headers)
    expectRefusal(answer, 409, 'idempotency_conflict', ['ccEmails'])
  })

  it('is refused if it differs from the key in the body', async () => {
    const id = await api.paid()
    const body = { idempotency_id: newKey() }
    const answer = await askReceipt(api, id, 'email', body, { [KEY]: newKey() })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(await recipientsOf(api, id)).toEqual([])
  })

  it('leaves the key free after a refusal', async () => {
    const own = await apiWithRecipient(api.service, { email: null })
    const id = await own.paid()
    const headers = { [KEY]: newKey() }
    const faulty = await askReceipt(own, id, 'email', { ccEmails: ['nobody'] }, headers)
    expectRefusal(faulty, 400, 'invalid_request', ['ccEmails.0'])
    expectRefusal(await askReceipt(own, id, 'email', {}, headers), 400, 'no_recipient')
    await changeCustomer(own, { email: EMAIL })
    expect((await askReceipt(own, id, 'email', {}, headers)).status).toBe(200)
    expect(await recipientsOf(own, id)).toEqual([`email ${EMAIL}`])
  })

  it('is sent at most five times a day by each channel, also if all requests come at once', async () => {
    const own = await apiWithRecipient(api.service)
    const id = await own.paid()
    const headers = { [KEY]: newKey() }
    const first = await askReceipt(own, id, 'email', {}, headers)
    const crowd = await Promise.all(Array.from({ length: 8 }, () => askReceipt(own, id, 'email')))
    expect(crowd.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(await recipientsOf(own, id)).toHaveLength(5)
    expectRefusal(await askReceipt(own, id, 'email'), 409, 'sent_too_often')
    expect((await askReceipt(own, id, 'sms')).status).toBe(200)
    expect((await askReceipt(own, await own.paid(), 'email')).status).toBe(200)
    expect((await askReceipt(own, id, 'email', {}, headers)).text).toBe(first.text)
    const aDayAgo = `created_at = created_at - interval '25 hours'`
    await own.service.world.db.query(`UPDATE delivery SET ${aDayAgo} WHERE subject_id = $1`, [id])
    expect((await askReceipt(own, id, 'email')).status).toBe(200)
  })

  it("is separate from another account's", async () => {
    const own = await apiWithRecipient(api.service)
    const headers = { [KEY]: newKey() }
    for (const whose of [api, own]) {
      const id = await whose.paid()
      const answer = await askReceipt(whose, id, 'email', {}, headers)
      expect([answer.status, answer.body.id]).toEqual([200, id])
      expect(await recipientsOf(whose, id)).toHaveLength(1)
    }
  })
})
