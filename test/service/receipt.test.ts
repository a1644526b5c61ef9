// Receipts leave the service once each, whatever is flushed and whichever process dies.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../../src/world.ts'
import { WORKERS } from '../../workers/index.ts'
import { processorOf } from '../../workers/run.ts'
import { type Flushed, flushQueues } from '../support/flush-queues.ts'
import { openFurther } from '../support/further.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import {
  apiWithRecipient,
  askReceipt,
  changeCustomer,
  EMAIL,
  expectSentOnce,
  messagesOf,
  outboxOf,
  PATIENT_SENDERS,
  PHONE,
  receiptsOf,
  sendByItself,
} from '../support/receipts.ts'

const LONG_TEST = { timeout: 60_000 }

const CHANNELS = ['email', 'sms'] as const

describe('a receipt', LONG_TEST, () => {
  let plain: PaymentsApi

  beforeAll(async () => {
    plain = await openPaymentsApi({ timings: PATIENT_SENDERS })
  })
  afterAll(() => plain.service.close())

  it('leaves the service for each recipient, and its row says so', async () => {
    const api = await apiWithRecipient(plain.service)
    await sendByItself(api.service, api.merchant, ['sms'])
    await changeCustomer(api, { cc_emails: ['books@example.com'] })
    const id = await api.paid({ total: 12.5 })
    await askReceipt(api, id, 'email', { ccEmails: ['Copy@example.com', 'copy@example.com'] })
    await expectSentOnce(api, 4)
    const { body } = await receiptsOf(api, id)
    const sent = {
      status: 'sent',
      attempts: 1,
      next_attempt_at: null,
      last_error: null,
      reason: null,
      sent_at: expect.any(String),
      history: [expect.objectContaining({ answer: 'taken' })],
    }
    expect(body).toMatchObject([
      { channel: 'sms', recipient: PHONE, ...sent },
      { channel: 'email', recipient: EMAIL, ...sent },
      { channel: 'email', recipient: 'books@example.com', ...sent },
      { channel: 'email', recipient: 'Copy@example.com', ...sent },
    ])
    for (const { text } of await outboxOf(api)) expect(text).toContain('12.50')
  })

  it('leaves it once, even if the queues are flushed again and again', async () => {
    const api = await apiWithRecipient(plain.service)
    await sendByItself(api.service, api.merchant, CHANNELS)
    const id = await api.paid()
    const flushes: readonly Flushed[] = ['jobs', 'everything']
    for (const what of flushes) {
      const asked = CHANNELS.flatMap((channel) => [channel, channel])
      const context = asked.map((channel) => askReceipt(api, id, channel))
      await flushQueues(api.service, what)
      const answers = await Promise.all(context)
      expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200))
    }
    // The rate of a process is tested elsewhere; here a payment comes now and then.
    await expect.poll(() => paysUntilAllIsSent(api)).toBe(true)
    const owed = await messagesOf(api)
    expect(owed.filter((one) => one.subject_id === id)).toHaveLength(2 + 4 * flushes.length)
    await expectSentOnce(api, owed.length)
  })
})

async function paysUntilAllIsSent(api: PaymentsApi): Promise<boolean> {
  const isSent = (await messagesOf(api)).every(({ status }) => status === 'sent')
  if (!isSent) await api.charge({ pre_auth: true })
  return isSent
}

describe('a worker that sends receipts', LONG_TEST, () => {
  it('may die while it sends: another sends them, each once', async () => {
    // No worker of the service itself sends anything.
    const plain = await openPaymentsApi({ queues: ['charge', 'sweep'], timings: PATIENT_SENDERS })
    await using service = plain.service
    const api = await apiWithRecipient(service)
    await sendByItself(service, api.merchant, CHANNELS)
    const doomed = await openFurther(service)
    const { world, isAsking, die } = mortal(doomed.world)
    work(world)
    const id = await api.paid()
    await askReceipt(api, id, 'email', { ccEmails: ['copy@example.com'] })
    await expect.poll(isAsking).toEqual({ email: true, sms: true })
    die()
    await doomed.world.queues.drain(10_000)
    await doomed[Symbol.asyncDispose]()
    // The receipts that it had claimed are its own until its lease ends.
    const owed = await messagesOf(api)
    expect(owed.map(({ status }) => status)).toEqual(owed.map(() => 'pending'))
    expect(await outboxOf(api)).toEqual([])
    await flushQueues(service, 'jobs')
    await using heir = await openFurther(service)
    work(heir.world)
    await expect.poll(() => paysUntilAllIsSent(api)).toBe(true)
    await expectSentOnce(api, 4)
    await heir.world.queues.drain(5_000)
  })

  /** The provider does not answer until the worker dies; the dead worker writes nothing more. */
  function mortal(living: World) {
    const context = { email: false, sms: false }
    let isDead = false
    let die = () => {}
    const death = new Promise<void>((resolve) => {
      die = () => {
        isDead = true
        resolve()
      }
    })
    const sendBy = (channel: 'email' | 'sms') => async () => {
      context[channel] = true
      await death
      return { kind: 'taken', providerId: null } as const
    }
    const orNot =
      <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (isDead) throw new Error('stopped by the test')
        return act(...args)
      }
    const { ask, query, commit } = living.db
    const db = { ...living.db, ask: orNot(ask), query: orNot(query), commit: orNot(commit) }
    const mailer = { ...living.mailer, send: sendBy('email') }
    const texter = { ...living.texter, send: sendBy('sms') }
    // Its leases end soon.
    const timings = { ...living.timings, messageTimeoutMs: 500, leaseMs: 500 }
    const world = { ...living, db, mailer, texter, timings } as World
    return { world, isAsking: () => context, die: () => die() }
  }

  function work(world: World): void {
    for (const queue of CHANNELS) {
      world.queues.work(queue, processorOf(world, queue, WORKERS[queue]))
    }
  }
})
