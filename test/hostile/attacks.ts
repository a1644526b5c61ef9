// What a team can do within its hundred requests a minute to slow down others, and the rows that it
// may have gathered before. Each case runs with a team of its own.

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { ask, type HostileRequest } from './ask.ts'
import { HOSTILE_RULES } from './hostile-rules.ts'
import { makeResource } from './hostile-setup.ts'
import type { Outside } from './neighbour.ts'
import type { Service } from './service.ts'
import type { Team } from './teams.ts'

export interface Attacker {
  readonly service: Service
  /** A connection to the database, for the rows that the team has gathered in months. */
  readonly client: pg.Client
  /** Another connection, which locks a row of the team. */
  readonly holder: pg.Client
  readonly outside: Outside
  /** A new team, except for cases with many rows. */
  readonly team: Team
  readonly customer: string
  readonly card: string
}

export interface Attack {
  readonly what: string
  /** A team that has many transactions, or one with open batches of many rows. */
  readonly whose?: 'crowded' | 'settling'
  /** Resolves once the attack has begun; answers how to end it. */
  readonly start: (attacker: Attacker) => Promise<(() => Promise<void>) | undefined>
}

/** The requests of the attack within the rate limit; the rest is for the preparation. */
const REQUESTS = 80

/**
 * A round is through them in a second. With 3,000 at once two cores have work for some seconds, and
 * a receipt beside them took 1.2 s.
 */
const SCHEDULES = Number(process.env.NEIGHBOUR_SCHEDULES ?? 500)

function post(path: string, body: object, headers: HostileRequest['headers'] = {}): HostileRequest {
  return { method: 'POST', path, body, headers }
}

const ASYNC = { prefer: 'respond-async' }

/** Sends them at once, and does not wait for the answers. */
function pour({ service, team }: Attacker, requests: readonly HostileRequest[]): void {
  for (const sent of requests) void ask(service, team.key, sent)
}

function times<T>(count: number, one: (n: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, n) => one(n))
}

function slowGateway({ service, team }: Attacker, afterMs?: number) {
  const slow = { kind: 'gateway', accounts: [team.accountId] } as const
  service.send(afterMs === undefined ? slow : { ...slow, afterMs })
  return async () => service.send({ kind: 'gateway', accounts: [] })
}

const charges: Attack['start'] = async (attacker) => {
  const release = slowGateway(attacker)
  const body = { total: 1, payment_method_id: attacker.card }
  // One after the other, so that each has a job of its own, and not many one job together.
  for (let n = 0; n < REQUESTS; n += 1) {
    pour(attacker, [post('/charge', body, n % 2 === 0 ? ASYNC : {})])
    await delay(10)
  }
  return release
}

const repeats: Attack['start'] = async (attacker) => {
  const release = slowGateway(attacker)
  const body = { total: 1, payment_method_id: attacker.card }
  pour(
    attacker,
    times(REQUESTS, () => post('/charge', body, { 'idempotency-key': 'the same' })),
  )
  return release
}

/** Copies of a schedule with another rule, all of them due; new columns are copied too. */
const COPIES = `
  INSERT INTO schedule
  SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'due_at', $3::timestamptz,
    'next_run_at', $3::timestamptz, 'rule', coalesce($4::text, s.rule)))).*
  FROM schedule s, generate_series(1, $2::integer) WHERE s.id = $1`

async function dueSchedules(attacker: Attacker, count: number, rule: string | null, options = {}) {
  const { service, team, client, customer: customer_id } = attacker
  const body = { total: 1, customer_id, rule: 'FREQ=DAILY', ...options }
  const id = await makeResource(service, team.key, '/invoice/schedule', body)
  await client.query(COPIES, [id, count, new Date(Date.now() - 1_000), rule])
}

function costlyRule(name: string): string {
  return `RRULE:${HOSTILE_RULES[name] ?? ''}`
}

const deafRecipients: Attack['start'] = async (attacker) => {
  const { service, team, card } = attacker
  const id = await makeResource(service, team.key, '/charge', { total: 1, payment_method_id: card })
  pour(
    attacker,
    times(REQUESTS, (n) => {
      const ccEmails = times(10, (which) => `${n}-${which}@deaf.example`)
      return post(`/transaction/${id}/receipt/email`, { ccEmails })
    }),
  )
  return undefined
}

const deafEndpoints: Attack['start'] = async (attacker) => {
  const { service, team, outside } = attacker
  for (let n = 0; n < 15; n += 1) {
    const target_url = `${outside.deaf.url}/${n}`
    await makeResource(service, team.key, '/webhook', { target_url, event: '*' })
  }
  pour(
    attacker,
    times(REQUESTS - 15, (n) => post('/customer', { firstname: `Ada ${n}` })),
  )
  return undefined
}

/** Requests the longest file, and reads nothing of it. */
async function unreadExport({ service, team }: Attacker) {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {}) // The service may close the connection of a reader that does not read.
  socket.write(
    `GET /transaction?export=csv&all=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${team.key}\r\n\r\n`,
  )
  socket.pause()
  return socket
}

const unreadExports: Attack['start'] = async (attacker) => {
  const sockets = await Promise.all(times(60, () => unreadExport(attacker)))
  return async () => {
    for (const socket of sockets) socket.destroy()
  }
}

const searches: Attack['start'] = async (attacker) => {
  const words = ['a', 'ad', 'e', '%', 'o a', 'visa', 'declined', 'lovelace 1', 'example.com', '4']
  const requests = times(REQUESTS, (n) => ({
    path: `/${n % 2 ? 'transaction' : 'customer'}?keywords=${encodeURIComponent(words[n % 10] ?? '')}&sort=updated_at&page=${n}`,
  }))
  pour(attacker, requests)
  return undefined
}

const clock: Attack['start'] = async (attacker) => {
  const { service, team, customer: customer_id, card } = attacker
  const body = { total: 1, customer_id, payment_method_id: card, rule: 'FREQ=DAILY' }
  for (let n = 0; n < 5; n += 1) await makeResource(service, team.key, '/invoice/schedule', body)
  const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const answer = await ask(service, team.key, post('/sandbox/clock', { now: inAYear }, ASYNC))
  if (answer.status >= 300) throw new Error(`the clock was not moved: ${answer.text}`)
  return undefined
}

/** Far more than the events of the attacker's own requests. */
const REPLAYED = 100

const replays: Attack['start'] = async (attacker) => {
  const { service, team, outside, client } = attacker
  const since = new Date(Date.now() - 29 * 86_400_000).toISOString()
  const ids = await Promise.all(
    times(5, (n) => {
      const target_url = `${outside.endpoint.url}/replayed/${n}`
      return makeResource(service, team.key, '/webhook', { target_url, event: '*' })
    }),
  )
  await Promise.all(
    ids.map((id) => ask(service, team.key, post(`/webhook/${id}/replay`, { since }))),
  )
  // It would begin some seconds later, when no commit can be missed any more.
  const sql = 'UPDATE webhook SET due_at = $2 WHERE account_id = $1 AND due_at > $2'
  const { rowCount } = await client.query(sql, [team.accountId, new Date()])
  if (rowCount !== ids.length) throw new Error(`${rowCount} of ${ids.length} replays were begun`)
  const replayed = async (least: number) => {
    await outside.endpoint.until(least, ({ path }) => path.includes('/replayed/'))
  }
  await replayed(1)
  return () => replayed(REPLAYED)
}

const LOCKABLE = ['transaction', 'account', 'customer', 'payment_method', 'batch'] as const

/** Another session locks a row of the team while the team's payments are about to be recorded. */
function lockedRow(table: (typeof LOCKABLE)[number]): Attack['start'] {
  return async (attacker) => {
    const { team, card, holder } = attacker
    // The first charge opens the batch.
    await makeResource(attacker.service, team.key, '/charge', { total: 1, payment_method_id: card })
    const release = slowGateway(attacker, 300)
    const body = { total: 1, payment_method_id: card }
    const asked = times(8, () => ask(attacker.service, team.key, post('/charge', body, ASYNC)))
    await Promise.all(asked)
    const account = table === 'account' ? 'id' : 'account_id'
    await holder.query('BEGIN')
    await holder.query(`SELECT FROM ${table} WHERE ${account} = $1 FOR UPDATE`, [team.accountId])
    // Later payments meet the lock when they are accepted, the others when they are recorded.
    pour(
      attacker,
      times(8, () => post('/charge', body, ASYNC)),
    )
    return async () => {
      await holder.query('ROLLBACK')
      await release()
    }
  }
}

const closing: Attack['start'] = async ({ client, team }) => {
  const sql = `UPDATE batch SET due_at = $2 WHERE (account_id, id) IN (
    SELECT account_id, id FROM batch WHERE account_id = $1 AND status = 'open' LIMIT 1)`
  const { rowCount } = await client.query(sql, [team.accountId, new Date()])
  if (rowCount === 0) throw new Error('there is no batch to close')
  return undefined
}

export const ATTACKS: readonly Attack[] = [
  { what: 'its gateway is silent about all of its charges', start: charges },
  { what: 'it repeats a charge that waits', start: repeats },
  {
    what: 'hundreds of its schedules are due',
    start: async (attacker) => {
      await dueSchedules(attacker, SCHEDULES, null, { payment_method_id: attacker.card })
      return undefined
    },
  },
  ...Object.keys(HOSTILE_RULES)
    .slice(0, 3)
    .map((name) => ({
      what: `schedules of a costly rule are due: ${name}`,
      start: async (attacker: Attacker) => {
        await dueSchedules(attacker, 25, costlyRule(name))
        return undefined
      },
    })),
  { what: 'hundreds of its recipients hang', start: deafRecipients },
  { what: 'all of its endpoints hang', start: deafEndpoints },
  { what: 'it reads none of its exports', start: unreadExports, whose: 'crowded' },
  { what: 'it searches for what nearly all rows hold', start: searches, whose: 'crowded' },
  { what: 'it moves its sandbox clock by a year', start: clock },
  { what: 'it has all of its events replayed', start: replays, whose: 'crowded' },
  ...LOCKABLE.map((table) => ({ what: `its ${table} is locked`, start: lockedRow(table) })),
  { what: 'a batch of many rows is closed', start: closing, whose: 'settling' },
]
