// A merchant's look in e-mails: its colour, its logo and its contact; without a look an e-mail is
// unchanged.

import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeTeam } from '../../src/accounts/change-team.ts'
import { logoOf } from '../../src/accounts/keep-logo.ts'
import type { Look } from '../../src/accounts/look.ts'
import { contrastOf } from '../../src/core/colour.ts'
import type { ClaimedDelivery } from '../../src/deliveries/claim-due-deliveries.ts'
import { letterHtml } from '../../src/messages/html-of.ts'
import { invoiceLetter } from '../../src/messages/invoice-letter.ts'
import { plainOf } from '../../src/messages/plain-of.ts'
import { transactionLetter } from '../../src/messages/transaction-letter.ts'
import { compose } from '../../src/outside/mail/compose.ts'
import { sampleInvoice, sampleTransaction } from '../support/letter-samples.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { pngOf } from '../support/pictures.ts'
import { setTeam } from '../support/set-team.ts'
import { emailOf } from '../support/written-messages.ts'

const BILL = 'https://pay.example.com/bill/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f'

const PLAIN = sampleInvoice().look

const letterOf = (look: Partial<Look>) =>
  invoiceLetter(sampleInvoice({}, { look: { ...PLAIN, ...look } }), 'to pay', BILL)

const LOGO = { hash: 'a'.repeat(32), kind: 'png', width: 640, height: 96 } as const

describe('the HTML of an e-mail', () => {
  it('without a look has no trace of one', async () => {
    const letter = letterOf({})
    const html = await letterHtml(letter)
    expect(html).not.toMatch(/<img|cid:|\.logo|\.bar|class="[^"]*bar/)
    expect(letter.closing).toEqual([
      'Questions? Just answer this e-mail: it reaches Wick & Ember Lighting.',
      `Invoice ${sampleInvoice().invoice.id}`,
    ])
  })

  it.each(['#ffee00', '#0b5fff', '#ffffff', '#000000'])(
    'in %s has a button whose text can be read, by day and by night',
    async (colour) => {
      const html = await letterHtml(letterOf({ colour }))
      const [, day = ''] =
        /bgcolor="(#\w{6})"[^>]*role="presentation" valign="middle"/.exec(html) ?? []
      const [, text = ''] = /<a href="[^"]*bill[^"]*" target[^>]*;color:(#\w{6})/.exec(html) ?? []
      expect(contrastOf(day, text)).toBeGreaterThanOrEqual(4.5)
      const nights = [...html.matchAll(/\.press a \{ background: (#\w+)[^;]*; color: (#\w+)/g)]
      expect(nights).toHaveLength(4)
      for (const [, ground = '', ink = ''] of nights) {
        expect(contrastOf(ground, ink)).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it('contains its logo, as large as fits, and fetches nothing', async () => {
    const html = await letterHtml(letterOf({ logo: LOGO }))
    const pictures = [...html.matchAll(/<img[^>]*>/g)].map(([tag]) => tag)
    expect(pictures).toHaveLength(1)
    expect(pictures[0]).toMatch(/src="cid:logo@lamplighter" alt="" width="220" height="33"/)
    expect(html).not.toMatch(/url\(|src="http/)
  })

  it('has the contact, as HTML and as text', async () => {
    const contact = {
      supportEmail: 'help@wick.example',
      supportPhone: '+1 212 555 0100',
      website: 'https://wick.example/',
    }
    const letter = letterOf(contact)
    const line = 'help@wick.example · +1 212 555 0100 · wick.example'
    expect(letter.closing[1]).toBe(line)
    expect(plainOf(letter)).toContain(line)
    expect(await letterHtml(letter)).toContain(line)
    const receipt = transactionLetter(sampleTransaction({}, { look: { ...PLAIN, ...contact } }))
    expect(receipt.closing[1]).toBe(line)
  })
})

describe('an e-mail', () => {
  let api: PaymentsApi

  beforeAll(async () => {
    api = await openPaymentsApi({
      queues: ['charge'],
      settings: { PUBLIC_URL: 'https://pay.example.com' },
    })
  })
  afterAll(() => api.service.close())

  const mailOf = async (id: string) => {
    const { accountId } = api.merchant
    const delivery = {
      id: api.service.world.newId(),
      accountId,
      subject: 'transaction',
      subjectId: id,
      channel: 'email',
      recipient: 'ada@example.com',
      owedAt: new Date('2026-03-07T20:04:05.000Z'),
    } as unknown as ClaimedDelivery
    const mail = await emailOf(api.service.world, delivery)
    if (mail === undefined) throw new Error('there is no mail')
    return mail
  }

  it('from an account with a look carries its logo, and replies go to its contact', async () => {
    const { world } = api.service
    const { teamId } = api.merchant
    const bytes = pngOf()
    const texts = ['email=team@wick.example', 'sandbox_support_email=help@wick.example']
    await setTeam(world, teamId, texts)
    const id = await api.paid({ total: '12.00' })
    const before = await mailOf(id)
    expect(before.picture).toBeUndefined()
    const logo = { mode: 'sandbox', account: { logo: logoOf(bytes) ?? null } } as const
    await changeTeam(world, teamId, [logo])
    const mail = await mailOf(id)
    expect([mail.replyTo, mail.picture?.contentType]).toEqual(['help@wick.example', 'image/png'])
    const wire = createTransport({ streamTransport: true, buffer: true })
    const sender = { name: 'Pay', address: 'pay@example.com', domain: 'example.com' }
    const letter = compose(mail, sender)
    const sent = async () => String((await wire.sendMail(letter ?? {})).message)
    const message = await sent()
    expect(message).toMatch(/content-type: multipart\/related/i)
    expect(message).toMatch(/content-id: <logo@lamplighter>/i)
    expect(message).toMatch(/content-disposition: inline/i)
    expect(message.replace(/\s/g, '')).toContain(bytes.toString('base64'))
    expect(await sent()).toBe(message)
    await setTeam(world, teamId, ['sandbox_logo=none', 'sandbox_support_email=none'])
    const after = await mailOf(id)
    expect([after.replyTo, after.picture]).toEqual(['team@wick.example', undefined])
    expect(after.html).not.toContain('cid:')
  })
})
