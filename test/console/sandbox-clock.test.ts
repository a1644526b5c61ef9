// Pages about an account whose sandbox clock is ahead of real time: they never mix the two times.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/core/time-units.ts'
import { insertBatch } from '../support/batch-rows.ts'
import { faultsInEachLook, hasChromium, openBrowser, serveService } from '../support/browser.ts'
import { type SignedIn, seePage, signIn } from '../support/operator.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { advanceHere, scheduleOf, setClock } from '../support/sandbox-clock.ts'
import { GOOD_CARD } from '../support/test-service.ts'
import { webhooksOf } from '../support/webhooks.ts'

let first: PaymentsApi
let ada: SignedIn

beforeAll(async () => {
  first = await openPaymentsApi({
    queues: ['charge', 'refund'],
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  ada = await signIn(first.service.world)
}, 60_000)
afterAll(() => first.service.close())

const begin = (number = GOOD_CARD) => newPaymentsApi(first.service, number)

const daysAhead = (days: number) =>
  new Date(first.service.world.clock.now().getTime() + days * DAY).toISOString()

const pageAt = async (path: string) => (await seePage(first.service.app, path, ada)).html

describe('the shortcuts to the last days of a list', () => {
  it.each(['transactions', 'invoices'])('of %s go by the time of the account', async (place) => {
    const api = await begin()
    const at = daysAhead(40)
    await setClock(api, at)
    const [today, real] = [at.slice(0, 10), daysAhead(0).slice(0, 10)]
    const shown = async (query: string) => {
      const page = await pageAt(`/admin/${place}?${query}`)
      return /<a href="[^"]*[?&;]from=([\d-]+)[^"]*">Today</.exec(page)?.[1]
    }
    expect(await shown(`team=${api.merchant.teamId}`)).toBe(today)
    expect(await shown(`team=${api.merchant.accountId}`)).toBe(today)
    expect(await shown('')).toBe(real)
    if (place === 'transactions') {
      expect(await shown(`team=${api.merchant.teamId}&mode=live`)).toBe(real)
    }
  })
})

describe('the story of a payment', () => {
  /** Its entries, those with an instant of the sandbox clock marked by a star. */
  async function storyOf({ merchant }: PaymentsApi, id: string): Promise<readonly string[]> {
    const page = await pageAt(`/admin/transactions/${merchant.accountId}/${id}`)
    const [, list = ''] = page.split('<ol class="timeline">')
    return list.split('<li').flatMap((entry) => {
      const [, title] = /class="what">([^<]*)</.exec(entry) ?? []
      if (title === undefined) return []
      const isMarked = entry.includes('>sandbox clock<')
      expect(entry).toContain(isMarked ? 'data-clock="sandbox"' : 'data-clock="real"')
      return [`${isMarked ? '* ' : ''}${title.replace(/ queued: .*/, ' queued')}`]
    })
  }

  it('is in the order of real time, and marks the instants of the sandbox clock', async () => {
    const api = await begin()
    await webhooksOf(first.service, api.merchant).made()
    await advanceHere(api, daysAhead(3))
    const id = await api.paid()
    await advanceHere(api, daysAhead(7))
    const refund = await api.ask(id, 'refund', { total: 6 })
    expect(`${refund.status} ${refund.text}`).toMatch(/^200 /)
    expect((await api.ask(id, 'refund', { total: 6 })).status).toBe(409)
    const refused = expect.stringMatching(/^Request refused: POST .*refund_exceeds_remaining$/)
    // Requests are written once a second.
    await expect.poll(() => storyOf(api, id)).toContainEqual(refused)
    expect(await storyOf(api, id)).toEqual([
      '* Payment received, waiting to be charged',
      '* Succeeded',
      'Webhook queued',
      expect.stringMatching(/^\* Included in the batch of /),
      '* Updated',
      'Webhook queued',
      '* Deposit paid',
      '* Refund of $6.00 · succeeded',
      '* Updated',
      'Webhook queued',
      refused,
    ])
  })

  it('marks nothing if the account has no clock of its own', async () => {
    const api = await begin()
    const id = await api.paid()
    expect(await storyOf(api, id)).toEqual(['Payment received, waiting to be charged', 'Succeeded'])
  })
})

describe('the runs of a schedule', () => {
  it('are named as on every page, and link the last payment even if it failed', async () => {
    const api = await begin(DECLINED_CARD)
    await setClock(api, daysAhead(3))
    const id = await scheduleOf(api, { rule: 'FREQ=DAILY;COUNT=1', start: daysAhead(4) })
    await advanceHere(api, daysAhead(6))
    const { accountId } = api.merchant
    const payments = await first.service.world.db.query(
      'SELECT id, status FROM transaction WHERE account_id = $1 ORDER BY id',
      [accountId],
    )
    expect(payments.map(({ status }) => status)).toEqual(['FAILED', 'FAILED'])
    const page = await pageAt(`/admin/schedules/${accountId}/${id}`)
    expect(page).toContain(`/admin/transactions/${accountId}/${payments[1]?.id}"`)
    for (const shown of [page, await pageAt('/admin/schedules?state=finished')]) {
      expect(shown).toContain('>payment failed<')
      expect(shown).not.toContain('>ATTEMPTED<')
    }
    // The API says that it is active.
    const file = await pageAt(`/admin/schedules.csv?state=finished&team=${accountId}`)
    expect(file).toMatch(new RegExp(`${id},.*,finished,`))
    const { customerId } = await first.service.world.db.prisma.schedule.findFirstOrThrow({
      where: { accountId, id },
    })
    const customer = await pageAt(`/admin/customers/${accountId}/${customerId}`)
    expect(customer).toContain('<span class="word">finished</span>')
  })

  it('to come are shown by their distance from the account’s own present', async () => {
    const api = await begin()
    const team = `team=${api.merchant.teamId}`
    await scheduleOf(api, { rule: 'FREQ=WEEKLY', start: daysAhead(5) })
    expect(await pageAt(`/admin/schedules?${team}`)).not.toContain('from that clock’s time')
    await setClock(api, daysAhead(3))
    const page = await pageAt(`/admin/schedules?${team}`)
    expect(page).toContain('from that clock’s time')
    const [scale = ''] = /class="parts.*?<\/div>/.exec(page) ?? []
    const labels = [...scale.matchAll(/<span>([^<]*)</g)].map(([, text]) => text)
    expect(labels).toEqual(['now', '+1 d', '+2 d', '+3 d', '+4 d', '+5 d', '+6 d', '+7 d'])
    const [, at = ''] = /class="mark" x1="([\d.]+)"/.exec(page) ?? []
    expect(Number(at) / 1_000).toBeCloseTo(2 / 7, 2)
  })
})

it('the batches of a team open in the month of its clock', async () => {
  const api = await begin()
  await setClock(api, '2030-03-05T12:00:00Z')
  const { teamId, accountId } = api.merchant
  const monthOf = async (query: string) =>
    /aria-label="Months">.*?<h2>([^<]*)</s.exec(await pageAt(`/admin/batches?${query}`))?.[1]
  for (const query of [`team=${teamId}`, `team=${accountId}`, `team=${teamId}&mode=sandbox`]) {
    expect([query, await monthOf(query)]).toEqual([query, 'March 2030'])
  }
  const today = await pageAt(`/admin/batches?team=${teamId}`)
  expect(today).toContain('class="today" data-day="2030-03-05"')
  const real = await monthOf('')
  expect(real).not.toBe('March 2030')
  expect(await monthOf(`team=${teamId}&mode=live`)).toBe(real)
  // Once it takes live payments, its page is about these.
  const { prisma } = first.service.world.db
  const { id } = await prisma.account.findFirstOrThrow({ where: { teamId, mode: 'live' } })
  await insertBatch(first.service, { accountId: id }, { business_date: '2026-03-01' })
  expect(await monthOf(`team=${teamId}`)).toBe(real)
  expect(await monthOf(`team=${teamId}&mode=sandbox`)).toBe('March 2030')
})

it.skipIf(!hasChromium)('in a browser each day is named under its part of the line', async () => {
  const origin = await serveService(first.service)
  const api = await begin()
  const id = await api.paid()
  await scheduleOf(api, { rule: 'FREQ=DAILY', start: daysAhead(1) })
  await setClock(api, daysAhead(3))
  await using browser = await openBrowser()
  const page = await browser.open(origin, { cookie: ada.cookie })
  await page.goto(`/admin/transactions/${api.merchant.accountId}/${id}`)
  expect(await faultsInEachLook(page)).toEqual([])
  await page.goto('/admin/schedules?range=week')
  expect(await faultsInEachLook(page)).toEqual([])
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const labels = await page.locator('.parts span').evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        const { left, right } = range.getBoundingClientRect()
        return { left, right, at: one.getBoundingClientRect().left }
      }),
    )
    const line = await page.locator('.lane svg').first().boundingBox()
    const [from, long] = [line?.x ?? 0, line?.width ?? 0]
    for (const [place, { left, right, at }] of labels.entries()) {
      expect(at).toBeCloseTo(from + (place * long) / 7, 0)
      expect([left >= from - 1, right <= from + long + 1]).toEqual([true, true])
    }
  }
})
