// Sends e-mail over SMTP.

import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { SendAnswer } from '../../core/delivery.ts'
import { SECOND } from '../../core/time-units.ts'
import { readMailSender } from './address.ts'
import { compose, NOT_ONE_ADDRESS } from './compose.ts'
import type { Mail, Mailer } from './port.ts'
import { excerptOf, type Reached, readAnswer } from './read-answer.ts'

export interface SmtpSettings {
  readonly url: string
  /** In PEM, in place of the public authorities. */
  readonly caFile?: string | undefined
  /** The sender's address, or name and address. */
  readonly from: string
}

/** Defaults that a query in the URL may change. The rate is decided elsewhere. */
const POOL = {
  // Enough for ten messages a second if the server takes a second for each. Two processes stay
  // below the 20 connections that Exim and Exchange allow one client by default.
  maxConnections: 10,
  // As many as large providers accept on one connection; the handshake is then a hundredth of the
  // work.
  maxMessages: 100,
  // Servers close idle connections, some after a minute.
  idleTimeout: 30 * SECOND,
  // For a message whose connection was already dead before any of it was sent.
  maxRequeues: 2,
}

type Pool = Awaited<ReturnType<typeof openPool>>

export function smtpMailer({ url, from, caFile }: SmtpSettings): Mailer {
  const sender = readMailSender(from)
  const hide = hidingSecretsOf(url)
  let opening: Promise<Pool> | undefined
  let isClosed = false

  async function send(mail: Mail, signal: AbortSignal): Promise<SendAnswer> {
    const letter = compose(mail, sender)
    if (letter === undefined) return NOT_ONE_ADDRESS
    if (isClosed) return { kind: 'away', detail: 'the connections are closed' }
    const sending: Sending = {}
    try {
      opening ??= openPool(url, caFile).catch(forget)
      const { transporter, sendings } = await opening
      sendings.set(letter.envelope, sending)
      const sent = await transporter.sendMail({ ...letter, signal })
      const providerId = sent.serverMessageId ?? sent.messageId
      return { kind: 'taken', providerId, detail: excerptOf(hide(sent.response)) }
    } catch (error) {
      return readAnswer(error as Error, reachedBy(sending), hide)
    }
  }

  /** A file that cannot be read is looked for again at the next mail. */
  function forget(error: unknown): never {
    opening = undefined
    throw error
  }

  async function close(): Promise<void> {
    isClosed = true
    const pool = await opening?.catch(() => undefined)
    pool?.transporter.close()
  }

  return { kind: 'smtp', send, close }
}

/**
 * For one mail. Its message exists from the moment when a session is open and its recipient is
 * named.
 */
interface Sending {
  message?: Readable
}

/** Loaded on first use, so that a service without e-mail starts without it. */
async function openPool(address: string, caFile: string | undefined) {
  const { createTransport } = await import('nodemailer')
  const url = new URL(address)
  if (caFile !== undefined) url.searchParams.set('tls.ca', await readFile(caFile, 'utf8'))
  const transporter = createTransport({ ...POOL, url: url.href, pool: true })
  const sendings = new WeakMap<object, Sending>()
  // Each mail gets its own answer, so this event says nothing new.
  transporter.on('error', () => {})
  transporter.use('stream', ({ data: { envelope }, message }, go) => {
    const sending = typeof envelope === 'object' ? sendings.get(envelope) : undefined
    const createReadStream = message.createReadStream.bind(message)
    message.createReadStream = (options) => {
      const stream = createReadStream(options)
      if (sending !== undefined) sending.message = stream
      return stream
    }
    go()
  })
  return { transporter, sendings }
}

/** nodemailer reads the message only when the server asks for it. */
function reachedBy({ message }: Sending): Reached {
  if (message === undefined) return 'none'
  return message.readableDidRead ? 'message' : 'session'
}

/** Removes the user and the password, in plain form and as they are sent. */
function hidingSecretsOf(url: string): (text: string) => string {
  const { username, password } = new URL(url)
  const plain = [password, username].map(decodeURIComponent)
  const secrets = [...plain, ...plain.map((text) => Buffer.from(text).toString('base64'))]
  const known = secrets.filter((text) => text !== '')
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
