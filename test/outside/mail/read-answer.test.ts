// How errors are read that no server of a test can be made to give.

import type { NodemailerError } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { excerptOf, type Reached, readAnswer } from '../../../src/outside/mail/read-answer.ts'

const SECRET = 'smtp://shop:secret@mail.example'

function errorOf(fields: Partial<NodemailerError>): NodemailerError {
  return Object.assign(new Error(SECRET), fields)
}

const read = (fields: Partial<NodemailerError>, reached: Reached) =>
  readAnswer(errorOf(fields), reached, (text) => text)

describe('an error without a reply', () => {
  it.each([
    ['no such host', { code: 'EDNS', originalCode: 'ENOTFOUND' }, 'none', 'away'],
    ['no such host, after another session', { code: 'EDNS' }, 'session', 'away'],
    ['no server listens', { code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'session', 'away'],
    ['no answer at the door', { timeoutType: 'GREETING_TIMEOUT' }, 'session', 'away'],
    ['no credentials', { code: 'ENOAUTH' }, 'none', 'away'],
    [
      'a connection cut short',
      { code: 'ESOCKET', originalCode: 'ECONNRESET' },
      'session',
      'failed',
    ],
    ['the same in the message', { code: 'ESOCKET', originalCode: 'EPIPE' }, 'message', 'silent'],
    ['too large for what the server said', { code: 'EMESSAGE' }, 'session', 'refused'],
    ['given up in the queue', { code: 'EABORT' }, 'none', 'away'],
    ['given up before the message', { code: 'EABORT' }, 'session', 'silent'],
    ['given up in the message', { code: 'EABORT' }, 'message', 'silent'],
    ['an unknown error', {}, 'none', 'away'],
  ] as const)('%s', (_what, fields, reached, kind) => {
    const answer = read(fields, reached)
    expect(answer).toMatchObject({ kind })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})

describe('a reply', () => {
  it.each([
    ['454 at the password', { code: 'EAUTH', command: 'AUTH PLAIN' }, '454 4.7.0 later', 'away'],
    ['454 at TLS', { code: 'ETLS', command: 'STARTTLS' }, '454 4.7.0 not now', 'away'],
    ['out of step', { code: 'EENVELOPE', command: 'RCPT TO' }, '503 5.5.1 MAIL first', 'failed'],
    ['letters not taken', { code: 'EENVELOPE', command: 'MAIL FROM' }, '553 5.6.7 no', 'refused'],
    ['size not taken', { code: 'EENVELOPE', command: 'MAIL FROM' }, '552 5.3.4 no', 'refused'],
    ['unknown options', { code: 'EENVELOPE', command: 'MAIL FROM' }, '555 5.5.4 no', 'refused'],
    ['rate in words alone', { code: 'EENVELOPE', command: 'RCPT TO' }, '450 rate', 'failed'],
    ['full, by code', { code: 'EMESSAGE', command: 'DATA' }, '552 5.2.2 no', 'failed'],
    ['half a no', { code: 'ECONNECTION', command: 'CONN' }, '554 5.7', 'failed'],
  ] as const)('%s', (_what, fields, response, kind) => {
    const responseCode = Number(response.slice(0, 3))
    expect(read({ ...fields, response, responseCode }, 'session')).toMatchObject({ kind })
  })

  it.each([
    ['without a code', 'Service unavailable', undefined],
    ['of another step', '354 go on', 354],
    ['beyond all codes', '600 odd', 600],
  ] as const)('%s refuses no mail', (_what, response, responseCode) => {
    for (const command of ['MAIL FROM', 'RCPT TO', 'DATA']) {
      const code = 'EENVELOPE'
      const fields = { code, command, response, ...(responseCode && { responseCode }) }
      expect(read(fields, 'session')).toEqual({
        kind: 'failed',
        detail: `no SMTP reply: ${response}`,
      })
    }
    // By then the server may have the message.
    const fields = { code: 'EMESSAGE', response, ...(responseCode && { responseCode }) }
    expect(read(fields, 'message')).toMatchObject({ kind: 'silent' })
  })

  it('repeats no part of a password, even where the quotation ends', () => {
    const response = `550 5.7.1 ${'x'.repeat(285)} p@ss  word`
    const fields = { code: 'EENVELOPE', command: 'RCPT TO', response, responseCode: 550 }
    const hide = (text: string) => text.replaceAll('p@ss  word', '***')
    expect(JSON.stringify(readAnswer(errorOf(fields), 'session', hide))).not.toContain('p@')
  })

  it('of many lines is quoted on one line, of limited length', () => {
    expect(excerptOf('550-5.1.1 no\r\n550 \u001b[31msuch\0 user')).toBe(
      '550-5.1.1 no 550 [31msuch user',
    )
    const long = excerptOf(`550 ${'👩🏽‍🍳'.repeat(200)}`)
    expect(long.length).toBeLessThanOrEqual(300)
    expect(long.isWellFormed()).toBe(true)
  })
})
