import { encode } from 'uqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { qrCode } from '../../src/links/qr-code.ts'
import { UNKNOWN_LINK } from '../support/links.ts'
import { readQrCode } from '../support/qr.ts'
import { expectRefusal, send } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const PIXELS = 10
const QUIET_ZONE = 4

describe("the QR code of a payment link's page", () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [], settings: { PUBLIC_URL: 'https://pay.example' } })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  async function made(active = true): Promise<{ id: string; url: string; path: string }> {
    const sent = { common_name: 'Coffee', active }
    const { body } = await call(service.app, 'POST', '/payment-link', merchant.headers, sent)
    return { id: body.id, url: body.url, path: new URL(body.qr_code_url).pathname }
  }

  it('holds the address of the page', async () => {
    const [one, other] = [await made(), await made(false)]
    const pictures = [
      await send(service.app, { url: one.path }),
      await send(service.app, { url: other.path }),
    ]
    const read = pictures.map(({ text }) => readQrCode(text, PIXELS, QUIET_ZONE))
    expect(read).toEqual([one.url, other.url])
  })

  it('decodes to that address, with the white margin that readers need', async () => {
    const { url, path } = await made()
    const { text } = await send(service.app, { url: path })
    const { data } = encode(url, { ecc: 'M', border: QUIET_ZONE })
    const dark = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x * PIXELS},${y * PIXELS}h`] : [])),
    )
    expect(text.match(/M\d+,\d+h/g)).toEqual(dark)
    expect(text).not.toBe(qrCode(`${url}0`))
  })

  it.each(['http://a.b/pay/', 'https://pay.example:8443/a/longer/place/for/pay/'])(
    'is read under %s, as a control of the reader',
    (place) => {
      const url = `${place}${UNKNOWN_LINK}`
      expect(readQrCode(qrCode(url), PIXELS, QUIET_ZONE)).toBe(url)
    },
  )

  it('is an SVG that can be cached for a minute, and needs no key', async () => {
    const { path, id } = await made()
    const { status, headers, text } = await send(service.app, { url: path })
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'x-content-type-options': 'nosniff',
    })
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/)
    const shouted = await send(service.app, { url: `/pay/${id.toUpperCase()}/qr.svg` })
    expect(shouted.text).toBe(text)
  })

  it('is gone when its link is deleted', async () => {
    const { id, path } = await made()
    await call(service.app, 'DELETE', `/query/payment-links/${id}`, merchant.headers)
    const answer = await send(service.app, { url: path })
    expectRefusal(answer, 404, 'not_found')
    expect(answer.headers).not.toHaveProperty('cache-control')
  })

  it('is not found for an unknown link', async () => {
    expectRefusal(await send(service.app, { url: `/pay/${UNKNOWN_LINK}/qr.svg` }), 404, 'not_found')
    expectRefusal(await send(service.app, { url: '/pay/x/qr.svg' }), 400, 'invalid_id', ['id'])
  })
})
