// Workers are killed while they send e-mail: each recipient gets each message once. If the worker
// died between the mail server's answer and the record of it, the message comes twice, with one id.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { between, seeded } from '../chaos/random.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { apiWithRecipient, EMAIL } from '../support/receipts.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { soon } from '../support/soon.ts'
import { call } from '../support/test-service.ts'

/** The number of messages to send. */
const MESSAGES = Number(process.env.KILLED_MESSAGES ?? 100)

const TILLS = 3
/** The recipients of one receipt: the customer, and copies. */
const COPIES = 10
const RECEIPTS = Math.ceil(MESSAGES / TILLS / (COPIES + 1))
const ALL = RECEIPTS * TILLS * (COPIES + 1)

const WORKERS = 2
const PER_SECOND = 100

/** The server calls us twice a message; after about this many calls a worker is killed. */
const KILL_EVERY = Math.ceil(ALL / 2)

/** Connections of a process to the mail server: so many messages may be taken without a record. */
const CONNECTIONS = 10

/** A busy worker gives up some messages, and sends them a minute later. */
const MESSAGE_TIMEOUT_MS = 4_000

/** Another worker takes the deliveries of a killed one after this long. */
const LEASE_MS = 2_000

const LONG_TEST = { timeout: 240_000 + MESSAGES * 100 }

interface Row {
  readonly id: string
  readonly recipient: string
  readonly status: string
  readonly attempt: number
  readonly history: readonly { readonly answer: string }[]
}

let apis: readonly PaymentsApi[]
let sink: SmtpSink
let workers: ServiceProcess[] = []

beforeAll(async () => {
  sink = await openSmtpSink()
  const { service } = await openPaymentsApi({ queues: ['charge'] })
  apis = await Promise.all(Array.from({ length: TILLS }, () => apiWithRecipient(service)))
}, 60_000)
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()))
  await apis[0]?.service.close()
  await sink.close()
})

function start(databaseUrl: string): ServiceProcess {
  return startServiceProcess({
    name: 'worker',
    role: 'worker',
    queues: ['email', 'sweep'],
    timings: {
      messageTimeoutMs: MESSAGE_TIMEOUT_MS,
      deliveryLeaseMs: LEASE_MS,
      sweepEveryMs: 300,
    },
    environment: {
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      SMTP_URL: sink.url,
      MAIL_FROM: 'pay@mail.example',
      EMAIL_PER_SECOND: String(PER_SECOND),
    },
  })
}

/** Recipients are named by number of account and copy: digits of an id could look like a card. */
async function requestReceipts(
  { service, merchant, paid }: PaymentsApi,
  index: number,
): Promise<void> {
  const id = await paid()
  const url = `/transaction/${id}/receipt/email`
  for (let n = 0; n < RECEIPTS; n += 1) {
    const ccEmails = Array.from(
      { length: COPIES },
      (_, i) => `account-${index}.copy-${n}-${i}@example.com`,
    )
    const { status } = await call(service.app, 'PUT', url, merchant.headers, { ccEmails })
    expect(status).toBe(200)
  }
}

/** Kills some before the server has the message, some before they hear that it has. */
function killNowAndThen(databaseUrl: string): { readonly kills: number } {
  const random = seeded(MESSAGES)
  const state = { kills: 0 }
  let seen = 0
  const next = () => seen + between(random, KILL_EVERY / 2, KILL_EVERY * 1.2)
  let killAt = next()
  async function strike(): Promise<undefined> {
    seen += 1
    if (seen < killAt) return
    killAt = next()
    state.kills += 1
    const which = state.kills % WORKERS
    const worker = workers[which]
    worker?.signal('SIGKILL')
    await worker?.ended
    if (worker === workers[which]) workers[which] = start(databaseUrl)
  }
  sink.faults.message = strike
  sink.faults.recipient = strike
  return state
}

/** How many e-mails each recipient got, and how many different ones. */
function receivedBy(): ReadonlyMap<string, { copies: number; readonly ids: Set<string> }> {
  const all = new Map<string, { copies: number; readonly ids: Set<string> }>()
  for (const { to, email } of sink.received) {
    for (const recipient of to) {
      const got = all.get(recipient) ?? { copies: 0, ids: new Set() }
      all.set(recipient, got)
      got.copies += 1
      got.ids.add(email.messageId ?? '')
    }
  }
  return all
}

it(`${ALL} e-mails come once, whichever worker is killed`, LONG_TEST, async () => {
  const [first] = apis
  if (first === undefined) throw new Error('there is no account')
  const { databaseUrl, world } = first.service
  for (const [i, api] of apis.entries()) await requestReceipts(api, i)
  workers = Array.from({ length: WORKERS }, () => start(databaseUrl))
  const killing = killNowAndThen(databaseUrl)
  const pending = 'SELECT count(*)::integer AS pending FROM delivery WHERE due_at IS NOT NULL'
  await soon(async () => expect(await world.db.query(pending)).toEqual([{ pending: 0 }]), {
    timeout: LONG_TEST.timeout - 10_000,
    interval: 200,
  })
  const rows = (await world.db.query('SELECT * FROM delivery')) as unknown as readonly Row[]
  expect(rows.length).toBe(ALL)
  expect(rows.filter(({ status }) => status !== 'sent')).toEqual([])

  const received = receivedBy()
  const recipients = new Set(rows.map(({ recipient }) => recipient))
  expect([...received.keys()].sort()).toEqual([...recipients].sort())
  expect(received.get(EMAIL)?.ids.size).toBe(TILLS * RECEIPTS)
  const others = rows.filter(({ recipient }) => recipient !== EMAIL)
  for (const { recipient, attempt, history } of others) {
    const { copies = 0, ids } = received.get(recipient) ?? {}
    expect(ids?.size).toBe(1)
    // A second copy comes from an attempt whose result was never recorded.
    const unanswered = history.filter(({ answer }) => answer === 'silent').length
    expect(copies).toBeLessThanOrEqual(1 + unanswered + attempt - history.length)
  }
  const again = sink.received.length - ALL
  console.info(`${killing.kills} workers killed: ${again} of ${ALL} e-mails came once more`)
  const unanswered = rows.flatMap(({ history }) => history).filter((one) => one.answer === 'silent')
  expect(again).toBeLessThanOrEqual(killing.kills * CONNECTIONS + unanswered.length)
  // A pass would mean nothing if no worker had been killed.
  expect(killing.kills).toBeGreaterThanOrEqual(3)
  expect(rows.filter((row) => row.attempt > row.history.length).length).toBeGreaterThan(0)
})
