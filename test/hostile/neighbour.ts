// Team B: an ordinary merchant beside a hostile one. It makes charges, gets webhooks and a receipt,
// and has a schedule run, and each of these is timed from outside.

import type pg from 'pg'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { CARD } from '../support/sandbox-cards.ts'
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { ask } from './ask.ts'
import { makeResource } from './hostile-setup.ts'
import type { Service } from './service.ts'
import type { Team } from './teams.ts'

export const KINDS = ['charge', 'webhook', 'receipt', 'schedule'] as const

export type Timing = Readonly<Record<(typeof KINDS)[number], number>>

export interface Neighbour {
  /** Does each of its tasks once, and answers how long each took, in milliseconds. */
  live(): Promise<Timing>
}

/** A longer time is as bad as no end. */
export const MOST_MS = 3_000

const LOOK_EVERY_MS = 3

export interface Outside extends AsyncDisposable {
  readonly mail: SmtpSink
  readonly endpoint: Receiver
  /** Takes every request and never answers. */
  readonly deaf: Receiver
}

export async function openOutside(): Promise<Outside> {
  const [mail, endpoint, deaf] = [await openSmtpSink(), await openReceiver(), await openReceiver()]
  deaf.behave('hang')
  // A mail server that accepts the connection and does not answer about some recipients.
  mail.faults.recipient = (address) => (address.endsWith('@deaf.example') ? 'stall' : undefined)
  return {
    mail,
    endpoint,
    deaf,
    async [Symbol.asyncDispose]() {
      await Promise.all([mail.close(), endpoint.close(), deaf.close()])
    },
  }
}

export async function openNeighbour(
  service: Service,
  client: pg.Client,
  { key }: Team,
  { mail, endpoint }: Outside,
): Promise<Neighbour> {
  const made = (path: string, body: object) => makeResource(service, key, path, body)
  const customer_id = await made('/customer', { firstname: 'Bea', email: 'bea@example.com' })
  const payment_method_id = await made('/payment-method', { ...CARD, customer_id })
  const bill = { total: 1, customer_id, payment_method_id, email_notification: false }
  const schedule = await made('/invoice/schedule', { ...bill, rule: 'FREQ=DAILY' })
  await made('/webhook', { target_url: endpoint.url, event: '*' })
  let lives = 0

  /** Resolves as soon as the endpoint has got an event for which `passes` is true. */
  const eventAfter = (from: number, passes: (event: string, body: string) => boolean) =>
    timed(() =>
      endpoint.received
        .slice(from)
        .some(({ headers, body }) => passes(headers['event-name'] ?? '', body)),
    )

  async function charge() {
    const from = endpoint.received.length
    const body = { total: 12.5, payment_method_id }
    const answer = await ask(service, key, { method: 'POST', path: '/charge', body })
    const { id, status } = answer.status === 200 ? JSON.parse(answer.text) : { id: '', status: '' }
    if (status !== 'SUCCESS') return { id, charge: MOST_MS, webhook: MOST_MS }
    const webhook = await eventAfter(from, (event, text) => {
      return event === 'create_transaction' && text.includes(id)
    })
    return { id, charge: answer.ms, webhook }
  }

  async function receipt(id: string): Promise<number> {
    lives += 1
    const address = `bea+${lives}@example.com`
    const path = `/transaction/${id}/receipt/email`
    const sent = ask(service, key, { method: 'POST', path, body: { ccEmails: [address] } })
    const tookMs = await timed(() => mail.received.some(({ to }) => to.includes(address)))
    await sent
    return tookMs
  }

  async function run(): Promise<number> {
    const from = endpoint.received.length
    // Each run gets a day of its own: hundreds in one day would count as a fault, and pause it.
    const sql = `
      UPDATE schedule SET next_run_at = $2, due_at = $2, run_day = NULL, runs_of_day = 0 WHERE id = $1`
    await client.query(sql, [schedule, new Date(Date.now() - 1)])
    return eventAfter(from, (event) => event === 'create_invoice')
  }

  return {
    async live() {
      const [{ id, ...paid }, scheduled] = await Promise.all([charge(), run()])
      return { ...paid, receipt: id === '' ? MOST_MS : await receipt(id), schedule: scheduled }
    },
  }
}

/** How long it takes until a condition is true, which is checked again and again. */
function timed(isThere: () => boolean): Promise<number> {
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const look = () => {
      const tookMs = performance.now() - startedMs
      if (isThere() || tookMs > MOST_MS) return resolve(tookMs)
      setTimeout(look, LOOK_EVERY_MS)
    }
    look()
  })
}
