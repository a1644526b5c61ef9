// The opt-out of scheduled bills: the link in a bill, the request of a mail program, and the mails
// that still come.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maskedAddress } from '../../src/core/mail-address.ts'
import { DAY } from '../../src/core/time-units.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { sendInvoice } from '../../src/invoices/send-invoice.ts'
import { emailChannel } from '../../src/messages/email-channel.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { faultsInEachLook, hasChromium, openBrowser, serveService } from '../support/browser.ts'
import { openPage, pageTextOf } from '../support/pages.ts'
import { outboxOf } from '../support/receipts.ts'
import {
  MORNING,
  type SettableClock,
  schedulesOfAnother,
  type TestSchedules,
} from '../support/schedules.ts'
import { openTestService } from '../support/test-service.ts'

/** It runs on from the instant that is set, since the limit of e-mails a second needs that. */
function runningClock(): SettableClock {
  let aheadMs = new Date(MORNING).getTime() - Date.now()
  const now = () => new Date(Date.now() + aheadMs)
  return {
    now,
    get at() {
      return now()
    },
    set at(instant: Date) {
      aheadMs = instant.getTime() - Date.now()
    },
  }
}

let schedules: TestSchedules
let address: string
let customer: string
let count = 0

beforeAll(async () => {
  const clock = runningClock()
  const settings = { EMAIL_PER_SECOND: '100' }
  const service = await openTestService({ queues: [], backend: 'postgres', clock, settings })
  schedules = await schedulesOfAnother({ service, clock })
})
afterAll(() => schedules.close())
beforeEach(async () => {
  schedules = await schedulesOfAnother(schedules)
  address = `Ada.${count++}@example.com`
  const made = await schedules.ask('POST', '/customer', { firstname: 'Ada', email: address })
  customer = made.body.id
})

/** A day passes, and its bill is made and sent. */
async function nextDay(): Promise<void> {
  const { service, clock } = schedules
  clock.at = new Date(clock.at.getTime() + DAY)
  await runDueSchedules(service.world)
  await sendDue()
}

async function sendDue(): Promise<void> {
  const { world } = schedules.service
  let due: unknown[]
  do {
    await deliverDue(world, emailChannel(world))
    due = [...(await world.db.query(`SELECT FROM delivery WHERE status = 'pending'`))]
  } while (due.length > 0)
}

const schedule = () => schedules.made({ customer_id: customer, payment_method_id: undefined })

/** The mails to the customer, the oldest first. */
const letters = async () => (await outboxOf(schedules)).map(({ text }) => text)

const pathIn = (text: string | undefined) =>
  /http\S+(\/unsubscribe\/[0-9a-f]{32})$/m.exec(text ?? '')?.[1] ?? ''

async function billed(): Promise<string> {
  await schedule()
  await nextDay()
  const path = pathIn((await letters()).at(-1))
  expect(path).not.toBe('')
  return path
}

/** Sends it as a mail program does: no cookie, no origin, and either kind of form. */
const oneClick = (path: string, type = 'application/x-www-form-urlencoded') =>
  schedules.service.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': type },
    payload: type.startsWith('multipart')
      ? '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
      : 'List-Unsubscribe=One-Click',
  })

const states = async () => {
  const rows = await schedules.service.world.db.query(
    `SELECT status, reason, last_error, closed_at FROM delivery
     WHERE account_id = $1 AND channel = 'email' ORDER BY created_at, id`,
    [schedules.merchant.accountId],
  )
  return rows
}

const page = async (path: string) => pageTextOf(await openPage(schedules.service, path))

describe('a bill of a schedule', () => {
  it('has a link to stop such bills, with a token that hides the address and stays', async () => {
    const path = await billed()
    await nextDay()
    const all = await letters()
    expect(all).toHaveLength(2)
    expect(pathIn(all[1])).toBe(path)
    expect(path).not.toContain('ada')
    const [kept] = await schedules.service.world.db.query(
      'SELECT html FROM outbox_message WHERE account_id = $1 LIMIT 1',
      [schedules.merchant.accountId],
    )
    expect(kept?.html).toContain(path)
  })

  it('has a different link for each account and each address', async () => {
    const path = await billed()
    await schedules.ask('PUT', `/customer/${customer}`, { email: `other.${address}` })
    await nextDay()
    const other = pathIn((await letters()).at(-1))
    expect(other).toMatch(/^\/unsubscribe\//)
    expect(other).not.toBe(path)
  })

  it('that a person sends has none', async () => {
    const invoice = { total: 7, customer_id: customer }
    const { body } = await schedules.ask('POST', '/invoice', invoice)
    await sendByPerson(body.id)
    const [text] = await letters()
    expect(text).toContain('Pay $7.00')
    expect(text).not.toContain('/unsubscribe/')
  })
})

/** Sends it as the console does. */
async function sendByPerson(id: string): Promise<void> {
  const { world } = schedules.service
  const context = { accountId: schedules.merchant.accountId, clockAt: null, requestId: 'test' }
  await sendInvoice(world, { ...context, idempotencyKey: undefined }, { id, channel: 'email' })
  await sendDue()
}

describe('the page', () => {
  it('names the merchant and the mails that still come, and opening it changes nothing', async () => {
    const path = await billed()
    for (const _ of [1, 2]) {
      const text = await page(path)
      expect(text).toContain('Stop scheduled bills by e-mail?')
      expect(text).toContain(maskedAddress(address.toLowerCase()))
      expect(text.toLowerCase()).not.toContain(address.toLowerCase())
      expect(text).toContain('Receipts, and bills that a person sends to you, still come.')
      expect(text).toContain('Payments go on')
    }
    await nextDay()
    expect(await letters()).toHaveLength(2)
  })

  it.each([['application/x-www-form-urlencoded'], ['multipart/form-data; boundary=b']])(
    'takes one click of a mail program, as %s, and no bill comes any more',
    async (type) => {
      const path = await billed()
      for (const _ of [1, 2]) {
        const { statusCode, body } = await oneClick(path, type)
        expect([statusCode, body.includes('Scheduled bills by e-mail are stopped')]).toEqual([
          200,
          true,
        ])
      }
      await nextDay()
      expect(await letters()).toHaveLength(1)
      const [sent, stopped] = await states()
      expect(sent).toMatchObject({ status: 'sent', reason: null })
      // It must not need attention, or each day of the schedule would.
      expect(stopped).toMatchObject({
        status: 'parked',
        reason: 'opted_out',
        last_error: expect.stringMatching(/^the recipient opted out of scheduled bills on \d{4}-/),
        closed_at: expect.any(Date),
      })
    },
  )

  it('stops no receipt, and no bill that a person sends', async () => {
    await oneClick(await billed())
    const { body } = await schedules.ask('POST', '/invoice', { total: 7, customer_id: customer })
    await sendByPerson(body.id)
    expect((await letters()).at(-1)).toContain('Pay $7.00')
  })

  it('stops nothing of another account with the same address', async () => {
    await oneClick(await billed())
    schedules = await schedulesOfAnother(schedules)
    const made = await schedules.ask('POST', '/customer', { firstname: 'Ada', email: address })
    customer = made.body.id
    await billed()
    expect(await letters()).toHaveLength(1)
  })

  it('undoes it, with its own form only', async () => {
    const path = await billed()
    await oneClick(path)
    const undo = (site: string) =>
      schedules.service.app.inject({
        method: 'POST',
        url: `${path}/undo`,
        headers: { accept: 'text/html', 'sec-fetch-site': site },
      })
    expect((await undo('cross-site')).statusCode).toBe(403)
    expect(await page(path)).toContain('are stopped')
    const { statusCode, headers } = await undo('same-origin')
    expect([statusCode, headers.location]).toEqual([303, path])
    expect(await page(path)).toContain('Stop scheduled bills by e-mail?')
    await nextDay()
    expect(await letters()).toHaveLength(2)
  })

  it.each([['f'.repeat(32)], ['x'], ['%00'], ['f'.repeat(33)]])(
    'of a token that was never given, %s, is not found',
    async (token) => {
      expect((await openPage(schedules.service, `/unsubscribe/${token}`)).status).toBe(404)
      expect((await oneClick(`/unsubscribe/${token}`)).statusCode).toBe(404)
    },
  )

  it('reads no large body', async () => {
    const { statusCode } = await schedules.service.app.inject({
      method: 'POST',
      url: await billed(),
      payload: Buffer.alloc(20_000),
    })
    expect(statusCode).toBe(413)
    await nextDay()
    expect(await letters()).toHaveLength(2)
  })
})

it('an address opts out a few times a minute, and then must wait', async () => {
  const timings = { unsubscribesAMinute: 2 }
  await using strict = await openTestService({ backend: 'postgres', queues: [], timings })
  const url = `/unsubscribe/${'f'.repeat(32)}`
  const post = () => strict.app.inject({ method: 'POST', url, headers: { accept: 'text/html' } })
  const answers = [await post(), await post(), await post()]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 429])
  expect(answers[2]?.body).toContain('Nothing was changed.')
  expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0)
})

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  it('works without scripts, on every screen, light and dark', async () => {
    const path = await billed()
    const origin = await serveService(schedules.service)
    await using browser = await openBrowser()
    const seen = await browser.open(origin)
    await seen.goto(path)
    expect(await faultsInEachLook(seen)).toEqual([])
    const plain = await browser.open(origin, { javaScript: false })
    await plain.goto(path)
    await plain.getByRole('button', { name: 'Stop scheduled bills' }).click()
    await plain.getByRole('heading', { name: 'Scheduled bills by e-mail are stopped' }).waitFor()
    await plain.getByRole('button', { name: 'Send me scheduled bills again' }).click()
    await plain.getByRole('heading', { name: 'Stop scheduled bills by e-mail?' }).waitFor()
  })
})
