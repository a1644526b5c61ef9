// Rules for every channel of e-mail.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mail } from '../../../src/outside/mail/port.ts'
import { aMail, inTime, type MailWay, outboxWay, smtpWay } from '../../support/mail.ts'
import { openTestService, type TestService } from '../../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ queues: [] })
})
afterAll(() => service.close())

const WAYS = [
  ['over SMTP', () => smtpWay()],
  ['into the outbox', () => outboxWay(service.world)],
] as const

const LABELS = [...['a', 'b', 'c'].map((letter) => letter.repeat(63)), 'd'.repeat(55), 'example']
const LONGEST = `${'l'.repeat(64)}@${LABELS.join('.')}`

describe.each(WAYS)('a mail %s', (_way, open) => {
  let way: MailWay

  beforeAll(async () => {
    way = await open()
  })
  afterAll(() => way.close())

  async function sendOne(changes: Partial<Mail>) {
    const mail = aMail(changes)
    const answer = await way.mailer.send(mail, inTime())
    const messages = await way.newMessages()
    return { mail, answer, messages, email: messages[0]?.email, raw: messages[0]?.raw ?? '' }
  }

  it('is the intended message', async () => {
    const { mail, answer, email } = await sendOne({})
    expect(answer).toMatchObject({ kind: 'taken', providerId: expect.any(String) })
    expect(email).toMatchObject({
      from: { name: 'Moonlight Books', address: 'pay@shop.example' },
      to: [{ address: 'ada@example.com' }],
      replyTo: [{ address: 'team@moonlight.example' }],
      subject: 'Your receipt',
      messageId: `<${mail.deliveryId}@shop.example>`,
      date: '2026-03-04T05:06:07.000Z',
    })
    expect(email?.text?.trim()).toBe('Thank you: $12.50')
    expect(email?.html?.trim()).toBe('<p>Thank you: <b>$12.50</b></p>')
    expect(headersNamed(email, 'auto-submitted')).toEqual(['auto-generated'])
    expect(headersNamed(email, 'x-mailer')).toEqual([])
  })

  it('has an address to opt out of it, if there is something to opt out of', async () => {
    const optOutUrl = `https://pay.example.com/${'long/'.repeat(30)}unsubscribe`
    const { email } = await sendOne({ optOutUrl })
    expect(headersNamed(email, 'list-unsubscribe')).toEqual([`<${optOutUrl}>`])
    expect(headersNamed(email, 'list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
    const { email: other } = await sendOne({})
    expect(headersNamed(other, 'list-unsubscribe')).toEqual([])
    expect(headersNamed(other, 'list-unsubscribe-post')).toEqual([])
  })

  it('is the same message a second time, byte for byte', async () => {
    const { mail, raw } = await sendOne({ text: 'é'.repeat(500) })
    expect(raw).not.toBe('')
    expect((await sendOne(mail)).raw).toBe(raw)
  })

  it.each([
    ['two addresses', 'a@b.example, d@e.example'],
    ['two, in another writing', 'a@b.example;d@e.example'],
    ['a name and an address', 'Name <x@y.example>'],
    ['an address in brackets', '<x@y.example>'],
    ['a group', 'all: a@b.example, d@e.example;'],
    ['a second header', 'a@b.example\r\nBcc: d@e.example'],
    ['a second command', 'a@b.example>\r\nRCPT TO:<d@e.example'],
    ['a quoted part', '"a@b.example"@e.example'],
    ['a space', 'a b@c.example'],
    ['a comment', 'a(b)@c.example'],
    ['a NUL', 'a\0@b.example'],
    ['a letter that cannot be seen', 'a\u202e@b.example'],
    ['half a letter', 'a\ud800@b.example'],
    ['two at signs', 'a@b@c.example'],
    ['no local part', '@b.example'],
    ['no domain', 'a@'],
    ['nothing', ''],
    ['a line end', 'a@b.example\n'],
    ['a machine', 'a@[127.0.0.1]'],
    ['a number for a machine', 'a@2130706433'],
    ['another such number', 'a@0x7f.1'],
  ])('is refused for good if its recipient is %s', async (_what, to) => {
    const { answer, messages } = await sendOne({ to })
    // We refuse it ourselves, without asking the server.
    const detail = 'the recipient is not one address'
    expect(answer).toEqual({ kind: 'refused', reason: 'refused', detail })
    expect(messages).toEqual([])
  })

  it.each([
    ['a plain one', 'ada@example.com', 'ada@example.com'],
    ['one of 320 characters', LONGEST, LONGEST],
    ['one with signs', "o'hara+shop=x/y@example.com", "o'hara+shop=x/y@example.com"],
    ['one that needs quotes', 'a..b.@example.com', '"a..b."@example.com'],
    ['one of another script', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['one all of another script', 'jürgen@bücher.example', 'jürgen@bücher.example'],
  ])('goes to %s, and to no other', async (_what, to, arrivesAt) => {
    const { answer, email } = await sendOne({ to })
    expect(answer).toMatchObject({ kind: 'taken' })
    expect(email?.to).toEqual([{ address: arrivesAt, name: '' }])
  })

  it.each([
    ['letters from right to left', 'שלום חנות'],
    ['an emoji', 'Café ☕️ 👩🏽‍🍳'],
    ['quotes and a comma', 'Ada "the" Lovelace, Inc.'],
    ['what looks like an address', 'boss <boss@bank.example>'],
    ['very many characters', 'Société '.repeat(40).trim()],
  ])('shows a name and a subject of %s unchanged', async (_what, words) => {
    const { email } = await sendOne({ fromName: words, subject: words })
    expect(email?.from).toEqual({ name: words, address: 'pay@shop.example' })
    expect(email?.subject).toBe(words)
  })

  it('folds a long name and subject so that a strict reader keeps each space', async () => {
    const name = `${'Moonlight Books  and Stationery, '.repeat(5)}Inc.`
    const { raw } = await sendOne({ fromName: name, subject: name })
    // RFC 5322 removes only the line ends of the folding.
    const unfolded = raw.replace(/\r\n(?=[ \t])/g, '').split('\r\n')
    const shown = name.replaceAll('  ', ' ')
    expect(unfolded).toContain(`From: "${shown}" <pay@shop.example>`)
    expect(unfolded).toContain(`Subject: ${shown}`)
    const [headers = ''] = raw.split('\r\n\r\n')
    expect(headers.split('\r\n').filter((line) => line.length > 78)).toEqual([])
    expect(headers).not.toMatch(/ \r\n/)
  })

  it.each([
    ['a line end', '\r\n'],
    ['a lone line feed', '\n'],
    ['a lone carriage return', '\r'],
    ['a NUL', '\0'],
    ['a line separator', '\u2028'],
  ])('gets no header from %s in a field', async (_what, end) => {
    const words = `Hello${end}Bcc: evil@evil.example${end}X-Evil: yes${end}${end}body`
    const { email, raw } = await sendOne({ fromName: words, subject: words, replyTo: words })
    expect(email?.subject).toBe('Hello Bcc: evil@evil.example X-Evil: yes body')
    expect(email?.from).toMatchObject({ address: 'pay@shop.example' })
    expect(email?.to).toHaveLength(1)
    for (const name of ['bcc', 'x-evil', 'reply-to']) expect(headersNamed(email, name)).toEqual([])
    expect(raw).not.toMatch(/^(bcc|x-evil):/im)
  })

  it('keeps lines that SMTP could read as its own', async () => {
    const text = '.\r\n..\r\nQUIT\r\n.\r\nFrom here on\r\n'
    const { email } = await sendOne({ text })
    expect(email?.text?.trimEnd().split(/\r?\n/)).toEqual(['.', '..', 'QUIT', '.', 'From here on'])
  })

  it("has the sender's default name if the team has none", async () => {
    const { email } = await sendOne({ fromName: ' ', replyTo: null })
    expect(email?.from).toEqual({ name: 'Lamplighter', address: 'pay@shop.example' })
    expect(email?.replyTo).toBeUndefined()
  })

  it('is not sent after its time', async () => {
    const answer = await way.mailer.send(aMail(), AbortSignal.abort())
    expect(answer).toMatchObject({ kind: 'away' })
    expect(await way.newMessages()).toEqual([])
  })
})

it('a mail is the same message through either channel', async () => {
  const mail = aMail({ text: `${'ü'.repeat(300)}\n.\n`, fromName: 'Bücher & Co', subject: '☕️' })
  const raws: string[] = []
  for (const [, open] of WAYS) {
    const way = await open()
    await way.mailer.send(mail, inTime())
    raws.push(...(await way.newMessages()).map(({ raw }) => raw))
    await way.close()
  }
  expect(raws).toHaveLength(2)
  expect(raws[1]).toBe(raws[0])
})

function headersNamed(
  email:
    | { readonly headers: readonly { readonly key: string; readonly value: string }[] }
    | undefined,
  name: string,
): readonly string[] {
  return (email?.headers ?? []).filter(({ key }) => key === name).map(({ value }) => value)
}
