// What a mail server said, or did not say, as the answer to one mail. Told apart by codes:
// nodemailer's own, the reply's, and the enhanced status (RFC 3463) that may stand behind it.

import type { NodemailerError } from 'nodemailer'
import type { SendAnswer } from '../../core/delivery.ts'

/** How far a mail came: to a session, which names its recipient; to the first byte of itself. */
export type Reached = 'nobody' | 'session' | 'message'

interface Reply {
  readonly code: number
  /** Such as 4.7.1; empty where the server gives none. */
  readonly status: string
  /** What it was said to. */
  readonly command: string
  /** To this mail, not to us whatever we send. */
  readonly isAboutMail: boolean
  /** The connection ended in the middle of it. */
  readonly isHalf: boolean
  readonly detail: string
}

/** What a person reads of a reply, at most. */
const LONGEST_REPLY = 300

/** These are about the connection, though one of the same server stood before. */
const NEVER_REACHED = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EPROXY', 'EREQUIRETLS']
const NEVER_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']
const NEVER_GREETED = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']

/** Somebody must sign in, with other credentials or at all. */
const SIGN_IN = [530, 534, 535, 538]

/** "Mail flood detected" and "mail system congestion", of whichever class. */
const FLOOD = /^[45]\.(7\.28|4\.5)$/

const MAILBOX_FULL = /^[45]\.2\.2$/

/** The size of the mail, or letters beyond ASCII in an address: all else is said of the sender. */
const SAID_OF_MAIL = /^5\.(2\.3|3\.4|6\.7)$/

export function readAnswer(
  error: NodemailerError,
  reached: Reached,
  hide: (text: string) => string,
): SendAnswer {
  const reply = replyOf(error, hide)
  if (reply !== undefined) return answerOf(reply, reached)
  if (reached === 'nobody' || isAboutConnection(error)) {
    return { kind: 'away', detail: `the server could not be asked (${causeOf(error)})` }
  }
  if (reached === 'message') {
    return { kind: 'silent', detail: `no answer to the message (${causeOf(error)})` }
  }
  // We gave up waiting, so it is not the server that hung up.
  if (error.code === 'EABORT') {
    const detail = `no answer before the message (${causeOf(error)})`
    return { kind: 'silent', detail, isUntaken: true }
  }
  // Larger than the server takes, or an address that the library does not like.
  if (error.code === 'EMESSAGE' || error.code === 'EENVELOPE') {
    return refused(`it cannot be sent (${causeOf(error)})`)
  }
  // Some servers hang up on a recipient that they do not like: others must not wait for this one.
  return { kind: 'failed', detail: `cut off before the message (${causeOf(error)})` }
}

/** What a server says, on one line. */
export function excerptOf(response: string): string {
  const line = response.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.slice(0, LONGEST_REPLY).toWellFormed()
}

function replyOf(error: NodemailerError, hide: (text: string) => string): Reply | undefined {
  const { responseCode: code, response = '', command = '' } = error
  if (code === undefined || code < 400) return undefined
  const [, status = ''] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  // What is said while we sign in may repeat what we said.
  const said = isAboutMail ? hide(excerptOf(response)) : [code, status].join(' ').trim()
  const isHalf = error.code === 'ECONNECTION'
  return { code, status, command, isAboutMail, isHalf, detail: `the server says: ${said}` }
}

function answerOf(reply: Reply, reached: Reached): SendAnswer {
  const { code, status, command, isAboutMail, isHalf, detail } = reply
  if (isThrottling(reply)) return { kind: 'throttled', detail }
  if (code === 421 || SIGN_IN.includes(code)) return { kind: 'away', detail }
  // Whatever its other half was, it was no yes.
  if (isHalf && reached !== 'nobody') return { kind: 'failed', detail }
  if (!isAboutMail) return { kind: 'away', detail }
  // Out of step, not refused.
  if (code < 500 || code === 503) return { kind: 'failed', detail }
  // All our mail has one sender: whoever refuses it takes nothing until somebody mends that.
  if (command === 'MAIL FROM' && ![552, 555].includes(code) && !SAID_OF_MAIL.test(status)) {
    return { kind: 'away', detail }
  }
  // Before there were enhanced codes, 552 to a recipient was a full mailbox.
  const isFull = status === '' ? code === 552 && command === 'RCPT TO' : MAILBOX_FULL.test(status)
  return isFull ? { kind: 'failed', detail } : refused(detail)
}

/**
 * 450 4.7.x to a recipient is greylisting, of this one; to the sender it is said of all our mail.
 * 454 is what Amazon says of its limits, but at the door it is about TLS or the password.
 */
function isThrottling({ code, status, command, isAboutMail }: Reply): boolean {
  if (FLOOD.test(status)) return true
  if (code === 421) return status.startsWith('4.7.')
  if (code === 450) return status.startsWith('4.7.') && command === 'MAIL FROM'
  return code === 454 && isAboutMail
}

function isAboutConnection({ code = '', originalCode = '', timeoutType }: NodemailerError) {
  return (
    NEVER_REACHED.includes(code) ||
    NEVER_CONNECTED.includes(originalCode) ||
    NEVER_GREETED.includes(timeoutType ?? '')
  )
}

/** A code, never a message: that may hold an address with its password. */
function causeOf({ code, originalCode, timeoutType }: NodemailerError): string {
  return originalCode ?? timeoutType ?? code ?? 'unknown'
}

function refused(detail: string): SendAnswer {
  return { kind: 'refused', reason: 'refused', detail }
}
