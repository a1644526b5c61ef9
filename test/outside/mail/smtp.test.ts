// A mail server that refuses, is silent, or hangs up, at each moment of a conversation.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mayBeOfRecipient, type SendAnswer } from '../../../src/core/delivery.ts'
import type { Mailer } from '../../../src/outside/mail/port.ts'
import { smtpMailer } from '../../../src/outside/mail/smtp.ts'
import { aMail, inTime, SENDER } from '../../support/mail.ts'
import type { SmtpFault, SmtpFaults } from '../../support/smtp-answers.ts'
import { openSmtpSink, type SmtpSink } from '../../support/smtp-sink.ts'

type Moment = keyof SmtpFaults

const MOMENTS = ['greeting', 'sender', 'recipient', 'data', 'message'] as const

/** More than any buffer on the way holds, so that a cut comes in the middle. */
const LONG_TEXT = 'A line of a long receipt.\n'.repeat(100_000)

let sink: SmtpSink
let mailer: Mailer

beforeAll(async () => {
  sink = await openSmtpSink()
  mailer = smtpMailer({ url: sink.url, from: SENDER })
})
afterEach(async () => {
  for (const moment of MOMENTS) sink.faults[moment] = undefined
  // Whatever happened, the next mail goes out.
  const next = aMail({ to: 'next@example.com' })
  expect(await mailer.send(next, inTime())).toMatchObject({ kind: 'taken' })
  const came = sink.received.filter(({ email }) => email.messageId?.includes(next.deliveryId))
  expect(came).toHaveLength(1)
})
afterAll(async () => {
  await mailer.close()
  await sink.close()
})

async function sendAgainst(moment: Moment, fault: SmtpFault, text?: string): Promise<SendAnswer> {
  // Only a new connection meets a fault in the greeting.
  if (moment === 'greeting') await forgetConnections()
  sink.faults[moment] = fault
  return mailer.send(aMail(text === undefined ? {} : { text }), inTime())
}

/** Aborts at the moment at which the server falls silent, not before it and not by the clock. */
async function giveUpAt(moment: Moment): Promise<SendAnswer> {
  if (moment === 'greeting') await forgetConnections()
  const giveUp = new AbortController()
  sink.faults[moment] = () => {
    giveUp.abort()
    return 'stall'
  }
  return mailer.send(aMail(), giveUp.signal)
}

async function forgetConnections(): Promise<void> {
  await mailer.close()
  mailer = smtpMailer({ url: sink.url, from: SENDER })
}

describe('a mail server', () => {
  it.each([
    ['refuses the recipient', 'recipient', 550, '5.1.1 no such user', 'refused'],
    ['says that he has moved', 'recipient', 551, '5.1.6 moved', 'refused'],
    ['does not like his name', 'recipient', 553, '5.1.3 bad name', 'refused'],
    ['knows that his domain takes no mail', 'recipient', 556, '5.1.10 null MX', 'refused'],
    ['finds his mailbox full', 'recipient', 552, '5.2.2 full', 'failed'],
    ['finds it full, in the old writing', 'recipient', 552, 'full', 'failed'],
    ['is greylisting', 'recipient', 450, '4.7.1 try again later', 'failed'],
    ['is greylisting, in another writing', 'recipient', 451, '4.7.1 greylisted', 'failed'],
    ['has no room for it now', 'recipient', 452, '4.3.1 no room', 'failed'],
    ['wants a password', 'recipient', 530, '5.7.0 sign in first', 'away'],
    ['is shutting down', 'recipient', 421, '4.3.2 shutting down', 'away'],
    ['was asked too often', 'recipient', 421, '4.7.0 too fast', 'throttled'],
    ['sees a flood', 'recipient', 450, '4.7.28 flood', 'throttled'],
    ['does not know our sender', 'sender', 550, '5.7.1 not you', 'away'],
    ['does not take our sender now', 'sender', 451, '4.3.0 later', 'failed'],
    ['was asked too often by our sender', 'sender', 450, '4.7.1 too much mail', 'throttled'],
    ['accepts no client', 'greeting', 554, 'no service', 'away'],
    ['accepts no client now', 'greeting', 450, 'later', 'away'],
    ['has too many of us at the door', 'greeting', 421, '4.7.0 too many connections', 'throttled'],
    ['refuses the message', 'message', 554, '5.7.1 spam', 'refused'],
    ['finds it too large', 'message', 552, '5.3.4 too large', 'refused'],
    ['has no room for the message now', 'message', 452, '4.3.1 no room', 'failed'],
    ['has used up our limit', 'message', 454, 'throttling failure', 'throttled'],
    ['has used up our day', 'message', 550, '5.4.5 daily limit', 'throttled'],
    ['shuts down over the message', 'message', 421, '4.3.0 shutting down', 'away'],
  ] as const)('that %s: %s %d %s → %s', async (_what, moment, code, text, kind) => {
    const before = sink.received.length
    const answer = await sendAgainst(moment, { code, text })
    expect(answer).toMatchObject({ kind, detail: expect.stringContaining(String(code)) })
    expect(sink.received).toHaveLength(before)
  })

  it.each([
    ['recipient', 421, '4.3.2 closing', true],
    ['recipient', 421, '4.7.0 too fast', true],
    ['recipient', 421, '4.7.28 flood', false],
    ['recipient', 450, '4.7.28 flood', false],
    ['sender', 421, '4.3.2 closing', false],
    ['greeting', 421, '4.7.0 too many connections', false],
    ['message', 421, '4.3.0 shutting down', false],
  ] as const)('at the %s, %d %s: of this recipient alone? %s', async (moment, code, text, may) => {
    expect(mayBeOfRecipient(await sendAgainst(moment, { code, text }))).toBe(may)
  })

  it.each([
    ['no such mailbox', 'recipient', 550, '5.1.1 no such user', true],
    ['no such domain', 'recipient', 550, '5.1.2 no such host', true],
    ['a mailbox that has moved', 'recipient', 551, '5.1.6 moved', true],
    ['a domain without mail', 'recipient', 556, '5.1.10 null MX', true],
    ['the same words over the message', 'message', 550, '5.1.1 no such user', undefined],
    ['a refusal without a code of its own', 'recipient', 550, 'no such user', undefined],
    ['a policy', 'recipient', 550, '5.7.1 blocked', undefined],
    ['a disabled mailbox', 'recipient', 550, '5.2.1 disabled', undefined],
    ['not now', 'recipient', 450, '4.1.1 not now', undefined],
  ] as const)(
    'that names %s: an address for good? %s',
    async (_what, moment, code, text, isNoSuch) => {
      const answer = await sendAgainst(moment, { code, text })
      expect('isNoSuchAddress' in answer ? answer.isNoSuchAddress : undefined).toBe(isNoSuch)
    },
  )

  it.each([
    ['at the door', 'greeting', 'away', 0],
    ['at the sender', 'sender', 'failed', 0],
    ['at the recipient', 'recipient', 'failed', 0],
    ['in the middle of the message', 'data', 'silent', 0],
    ['after the message, which it has', 'message', 'silent', 1],
  ] as const)('that hangs up %s', async (_where, moment, kind, received) => {
    const before = sink.received.length
    const text = moment === 'data' ? LONG_TEXT : undefined
    expect(await sendAgainst(moment, 'cut', text)).toMatchObject({ kind })
    expect(sink.received).toHaveLength(before + received)
  })

  it.each([
    ['at the door', 'greeting', 'away', undefined],
    ['at the sender', 'sender', 'silent', true],
    ['at the recipient', 'recipient', 'silent', true],
    ['in the message', 'data', 'silent', undefined],
    ['after the message', 'message', 'silent', undefined],
  ] as const)(
    'that falls silent %s is given up when the time is over',
    async (_where, moment, kind, isUntaken) => {
      const answer = await giveUpAt(moment)
      expect(answer.kind).toBe(kind)
      expect('isUntaken' in answer ? answer.isUntaken : undefined).toBe(isUntaken)
    },
  )

  it('that is slow is waited for', async () => {
    let go = (): void => {}
    const mayGo = new Promise<void>((resolve) => {
      go = resolve
    })
    const asked = new Promise<void>((resolve) => {
      sink.faults.message = async () => {
        resolve()
        await mayGo
        return undefined
      }
    })
    const sending = mailer.send(aMail(), inTime())
    await asked
    expect(await Promise.race([sending, Promise.resolve('not yet')])).toBe('not yet')
    go()
    expect(await sending).toMatchObject({ kind: 'taken', detail: expect.stringMatching(/^250 /) })
  })

  it('that hung up between two mails gets a new connection, without an error', async () => {
    const before = sink.connections
    expect(await mailer.send(aMail(), inTime())).toMatchObject({ kind: 'taken' })
    await sink.stop()
    await sink.start()
    expect(await mailer.send(aMail(), inTime())).toMatchObject({ kind: 'taken' })
    expect(sink.connections).toBeGreaterThan(before)
  })

  it('that is not there is away, whether it was there before or not', async () => {
    expect(await mailer.send(aMail(), inTime())).toMatchObject({ kind: 'taken' })
    await sink.stop()
    const gone = { kind: 'away', detail: expect.stringContaining('ECONNREFUSED') }
    expect(await mailer.send(aMail(), inTime())).toMatchObject(gone)
    await forgetConnections()
    expect(await mailer.send(aMail(), inTime())).toMatchObject(gone)
    await sink.start()
  })
})

describe('the connections', () => {
  it('take two hundred mails at once, each of which arrives once', async () => {
    const [before, met] = [sink.received.length, sink.connections]
    const mails = Array.from({ length: 200 }, (_, i) => aMail({ to: `reader-${i}@example.com` }))
    const answers = await Promise.all(mails.map((mail) => mailer.send(mail, inTime())))
    expect(answers.filter(({ kind }) => kind !== 'taken')).toEqual([])
    const came = sink.received.slice(before)
    expect(came.map(({ to }) => to.join()).sort()).toEqual(mails.map(({ to }) => to).sort())
    const ids = came.map(({ email }) => email.messageId)
    expect(new Set(ids).size).toBe(mails.length)
    // No more than a usual server allows, and not one for each mail.
    expect(sink.connections - met).toBeLessThanOrEqual(12)
  })

  it('are closed with the mailer, which then sends nothing', async () => {
    await mailer.close()
    expect(await mailer.send(aMail(), inTime())).toMatchObject({ kind: 'away' })
    await forgetConnections()
  })

  it('name the sender as a bare address, without the name', async () => {
    const before = sink.received.length
    await mailer.send(aMail({ fromName: 'Moonlight <x@y.example>' }), inTime())
    expect(sink.received[before]).toMatchObject({
      from: 'pay@shop.example',
      to: ['ada@example.com'],
    })
  })
})
