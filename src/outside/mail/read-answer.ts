// Classifies a mail server's reply, or its silence, as the answer to one mail. It uses codes:
// nodemailer's own, the reply's, and the enhanced status (RFC 3463) that may follow.

import type { NodemailerError } from 'nodemailer'
import type { SendAnswer } from '../../core/delivery.ts'

/** How far a mail got: into a session, which names its recipient, or to its own first byte. */
export type Reached = 'none' | 'session' | 'message'

interface Reply {
  readonly code: number
  /** Such as 4.7.1. Empty if the server gives none. */
  readonly status: string
  /** The command that it replies to. */
  readonly command: string
  /** True if it is about this mail, and not about all mail from us. */
  readonly isAboutMail: boolean
  /** True if the connection ended in the middle of the reply. */
  readonly isHalf: boolean
  readonly detail: string
}

/** The longest excerpt that people read. */
const LONGEST_REPLY = 300

/** These are about the connection, even if an earlier one to this server worked. */
const NEVER_REACHED = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EPROXY', 'EREQUIRETLS']
const NEVER_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']
const NEVER_GREETED = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']

/** The server requires credentials, or other ones. */
const SIGN_IN = [530, 534, 535, 538]

/** "Mail flood detected" and "mail system congestion", in any class. */
const FLOOD = /^[45]\.(7\.28|4\.5)$/

/**
 * Mailbox or domain unknown, mailbox moved, and a domain that takes no mail. A bare 550 is as often
 * about policy, and 5.2.1 about a mailbox that is only disabled for a while.
 */
const NO_SUCH_ADDRESS = /^5\.1\.(1|2|6|10)$/

const MAILBOX_FULL = /^[45]\.2\.2$/

/**
 * About the mail: its size, or non-ASCII characters in an address. Every other code is about the
 * sender.
 */
const ABOUT_MAIL = /^5\.(2\.3|3\.4|6\.7)$/

export function readAnswer(
  error: NodemailerError,
  reached: Reached,
  hide: (text: string) => string,
): SendAnswer {
  const reply = replyOf(error, hide)
  if (reply !== undefined) return answerOf(reply, reached)
  if (reached === 'none' || isAboutConnection(error)) {
    return { kind: 'away', detail: `the server could not be asked (${causeOf(error)})` }
  }
  if (reached === 'message') {
    return { kind: 'silent', detail: `no answer to the message (${causeOf(error)})` }
  }
  // We stopped waiting; the server did not hang up.
  if (error.code === 'EABORT') {
    const detail = `no answer before the message (${causeOf(error)})`
    return { kind: 'silent', detail, isUntaken: true }
  }
  // It has refused nothing: a later session may make sense again.
  if (error.response) {
    return { kind: 'failed', detail: `no SMTP reply: ${excerptOf(hide(error.response))}` }
  }
  // The mail is too large for the server, or the library does not accept an address.
  if (error.code === 'EMESSAGE' || error.code === 'EENVELOPE') {
    return refused(`it cannot be sent (${causeOf(error)})`)
  }
  // Some servers hang up on an unwanted recipient; other mails must not wait for this one.
  return { kind: 'failed', detail: `cut off before the message (${causeOf(error)})` }
}

/** The server's reply on one line. */
export function excerptOf(response: string): string {
  const line = response.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.slice(0, LONGEST_REPLY).toWellFormed()
}

/** Undefined if the server said nothing, or nothing that refuses or puts off. */
function replyOf(error: NodemailerError, hide: (text: string) => string): Reply | undefined {
  const { responseCode: code, response = '', command = '' } = error
  if (code === undefined || code < 400 || code > 599) return undefined
  const [, status = ''] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  // A reply during sign-in may repeat our credentials.
  const reply = isAboutMail ? excerptOf(hide(response)) : [code, status].join(' ').trim()
  const isHalf = error.code === 'ECONNECTION'
  return { code, status, command, isAboutMail, isHalf, detail: `the server says: ${reply}` }
}

function answerOf(reply: Reply, reached: Reached): SendAnswer {
  const { code, status, command, isAboutMail, isHalf, detail } = reply
  const mayBeOfRecipient = isOnRecipient(reply, reached)
  if (isThrottling(reply)) return { kind: 'throttled', detail, mayBeOfRecipient }
  if (code === 421) return { kind: 'away', detail, mayBeOfRecipient }
  if (SIGN_IN.includes(code)) return { kind: 'away', detail }
  // Whatever the rest of the reply would have said, the mail was not accepted.
  if (isHalf && reached !== 'none') return { kind: 'failed', detail }
  if (!isAboutMail) return { kind: 'away', detail }
  // The sequence of commands was wrong; the mail was not refused.
  if (code < 500 || code === 503) return { kind: 'failed', detail }
  // All our mail has one sender. A server that refuses it accepts nothing until an operator fixes
  // that.
  if (command === 'MAIL FROM' && ![552, 555].includes(code) && !ABOUT_MAIL.test(status)) {
    return { kind: 'away', detail }
  }
  // Before enhanced codes existed, 552 to a recipient meant a full mailbox.
  const isFull = status === '' ? code === 552 && command === 'RCPT TO' : MAILBOX_FULL.test(status)
  if (isFull) return { kind: 'failed', detail }
  const isNoSuch = command === 'RCPT TO' && NO_SUCH_ADDRESS.test(status)
  return { ...refused(detail), ...(isNoSuch && { isNoSuchAddress: true }) }
}

/**
 * 450 4.7.x to a recipient is greylisting of this mail; to the sender it is about all our mail.
 * Amazon uses 454 for its limits, but at the start of a session it is about TLS or the password.
 */
function isThrottling({ code, status, command, isAboutMail }: Reply): boolean {
  if (FLOOD.test(status)) return true
  if (code === 421) return status.startsWith('4.7.')
  if (code === 450) return status.startsWith('4.7.') && command === 'MAIL FROM'
  return code === 454 && isAboutMail
}

/**
 * A server that closes the connection may have been asked too often, or dislike this recipient.
 * Some tell a client that it is unwanted only when it names a recipient. The library says
 * RCPT TO, or, if it has sent more commands by then, that the session is over.
 */
function isOnRecipient({ code, status, command, isHalf }: Reply, reached: Reached): boolean {
  const isAtRecipient = command === 'RCPT TO' || (isHalf && reached === 'session')
  return code === 421 && isAtRecipient && !FLOOD.test(status)
}

function isAboutConnection({ code = '', originalCode = '', timeoutType }: NodemailerError) {
  return (
    NEVER_REACHED.includes(code) ||
    NEVER_CONNECTED.includes(originalCode) ||
    NEVER_GREETED.includes(timeoutType ?? '')
  )
}

/** A code, never a message, which may contain an address with its password. */
function causeOf({ code, originalCode, timeoutType }: NodemailerError): string {
  return originalCode ?? timeoutType ?? code ?? 'unknown'
}

function refused(detail: string) {
  return { kind: 'refused', reason: 'refused', detail } as const
}
