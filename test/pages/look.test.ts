// A merchant's look on payers' pages: what the pages show, that it belongs to one account, and
// the files that the pages load for it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeTeam, type TeamChange } from '../../src/accounts/change-team.ts'
import { logoOf } from '../../src/accounts/keep-logo.ts'
import type { Mode } from '../../src/accounts/key.ts'
import { MANY_PAYERS, newBill, newLink, newNonce, openPage, payAt } from '../support/pages.ts'
import { jpegOf, pngOf } from '../support/pictures.ts'
import { setTeam } from '../support/set-team.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const TEXTS = [
  'colour=#ffee00',
  'support_email=h?elp@shop.example',
  'support_phone=+1 212 555 0100',
  'website=https://shop.example/',
]

let service: TestService

beforeAll(async () => {
  service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
})
afterAll(() => service.close())

async function setLook(merchant: Merchant, mode: Mode = 'sandbox', bytes = pngOf()): Promise<void> {
  await setTeam(
    service.world,
    merchant.teamId,
    TEXTS.map((text) => `${mode}_${text}`),
  )
  const change: TeamChange = { mode, account: { logo: logoOf(bytes) ?? null } }
  await changeTeam(service.world, merchant.teamId, [change])
}

/** One page of each kind that belongs to an account. */
async function pagesOf(merchant: Merchant): Promise<readonly string[]> {
  const path = await newLink(service, merchant)
  const nonce = newNonce()
  await payAt(service, path, { nonce })
  const { path: bill } = await newBill(service, merchant)
  const off = await newLink(service, merchant, { active: false })
  return [path, `${path}/${nonce}`, `${path}/${newNonce()}`, bill, off]
}

const LOOK = /own-colour|\/look\/|class="[^"]*contact/

describe('a page of an account with a look', () => {
  it('shows its logo, colour and contact on every kind of page', async () => {
    const merchant = await service.merchant()
    await setLook(merchant)
    for (const place of await pagesOf(merchant)) {
      const { text } = await openPage(service, place)
      const shown = [
        /<link rel="stylesheet" href="\/look\/ffee00\.[0-9a-f]{10}\.css"\/>/.test(text),
        /<img class="logo" src="\/look\/[0-9a-f]{32}\.png" alt width="160" height="48"\/>/.test(
          text,
        ),
        text.includes('<body class="own-colour">'),
        text.includes('href="mailto:h%3Felp@shop.example"'),
        text.includes('href="tel:+12125550100"'),
        text.includes('href="https://shop.example/" rel="noopener noreferrer"'),
      ]
      expect([place, shown]).toEqual([place, Array(6).fill(true)])
      expect(text).not.toMatch(/ style="|<style/)
    }
  })

  it('has the look of its account alone: not of its team’s other account, nor of another team', async () => {
    const [one, other] = [await service.merchant(), await service.merchant()]
    await setLook(one, 'live')
    await setLook(await service.merchant())
    for (const merchant of [one, other]) {
      for (const place of await pagesOf(merchant)) {
        expect(LOOK.test((await openPage(service, place)).text)).toBe(false)
      }
    }
    await setLook(one, 'sandbox')
    expect(LOOK.test((await openPage(service, await newLink(service, one))).text)).toBe(true)
  })

  it("is in the account’s language if we have none of the payer's languages", async () => {
    const merchant = await service.merchant()
    await setTeam(service.world, merchant.teamId, ['sandbox_language=es'])
    const path = await newLink(service, merchant)
    const languageFor = async (query: string, header?: string) => {
      const headers = header === undefined ? {} : { 'accept-language': header }
      return /<html lang="(\w+)"/.exec((await openPage(service, path + query, headers)).text)?.[1]
    }
    expect([
      await languageFor(''),
      await languageFor('', 'de'),
      await languageFor('', 'fr'),
      await languageFor('', 'en'),
      await languageFor('?lang=fr', 'de'),
    ]).toEqual(['es', 'es', 'fr', 'en', 'fr'])
  })

  it('has a logo for two accounts with the same picture, until both remove it', async () => {
    const [one, other] = [await service.merchant(), await service.merchant()]
    const bytes = pngOf(50, 51)
    for (const merchant of [one, other]) await setLook(merchant, 'sandbox', bytes)
    const url = `/look/${logoOf(bytes)?.hash}.png`
    const statuses = []
    for (const merchant of [one, other]) {
      await setTeam(service.world, merchant.teamId, ['sandbox_logo=none'])
      statuses.push((await service.app.inject({ method: 'GET', url })).statusCode)
    }
    expect(statuses).toEqual([200, 404])
  })
})

describe('the files of a look', () => {
  const ask = (url: string) => service.app.inject({ method: 'GET', url })

  it.each([
    ['png', 'image/png', pngOf(60, 61)],
    ['jpeg', 'image/jpeg', jpegOf(60, 61)],
  ])(
    'include a %s of its own type, cached for ever, that runs nothing',
    async (kind, type, bytes) => {
      const merchant = await service.merchant()
      await setLook(merchant, 'sandbox', bytes)
      const { hash } = logoOf(bytes) ?? { hash: '' }
      const answer = await ask(`/look/${hash}.${kind}`)
      expect(answer.rawPayload.equals(bytes)).toBe(true)
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
      const other = kind === 'png' ? 'jpeg' : 'png'
      expect((await ask(`/look/${hash}.${other}`)).statusCode).toBe(404)
    },
  )

  it('include a style sheet with colour rules, and no text from the merchant', async () => {
    const { text } = await openPage(service, '/look/ffee00.0.css')
    const [, current = ''] = /(\/look\/ffee00\.[0-9a-f]{10}\.css)/.exec(await pageInColour()) ?? []
    const answer = await ask(current)
    expect(answer.body).toBe(text)
    expect(answer.body).toMatch(/^(?:[\s@{}:;(),.#\w-])+$/)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await ask('/look/ffee00.0.css')).headers['cache-control']).toBe('no-store')
  })

  it.each([
    'x',
    'FFEE00.0.css',
    'ffee00.css',
    'ffee0.0.css',
    'ffee00;}.0.css',
    `${'0'.repeat(32)}.png`,
    `${'0'.repeat(32)}.svg`,
    '..%2f..%2fetc%2fpasswd',
    "' OR 1=1--.png",
    'a'.repeat(5_000),
  ])('do not include /look/%s', async (name) => {
    expect((await ask(`/look/${encodeURI(name)}`)).statusCode).toBe(404)
  })

  async function pageInColour(): Promise<string> {
    const merchant = await service.merchant()
    await setLook(merchant)
    return (await openPage(service, await newLink(service, merchant))).text
  }
})
