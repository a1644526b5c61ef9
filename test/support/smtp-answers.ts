// The answers of the tests' mail server: it accepts everything, except for the faults that are set.

import PostalMime, { type Email } from 'postal-mime'
import type {
  SMTPServer,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server'
import type { Certificate } from './certificate.ts'

export interface SmtpSinkOptions {
  /** `none` by default. The certificate is not trusted by any authority. */
  readonly tls?: 'none' | 'starttls' | 'implicit'
  /** The required user; by default none. `url` has it as well. */
  readonly auth?: { readonly user: string; readonly password: string }
}

export interface ReceivedMail {
  readonly at: Date
  /** The sender of the envelope. */
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly email: Email
  readonly isSecure: boolean
  /** The client's name in its greeting. */
  readonly hello: string
}

export type SmtpFault = { readonly code: number; readonly text: string } | 'cut' | 'stall'

type Struck = SmtpFault | undefined

/**
 * Called at its moment with the address that it is about: the recipient; at `sender` the sender, at
 * `greeting` none. The server answers when it has resolved.
 */
type FaultAt = SmtpFault | ((address: string) => Struck | Promise<Struck>)

/** The places of faults. */
export interface SmtpFaults {
  greeting?: FaultAt | undefined
  sender?: FaultAt | undefined
  recipient?: FaultAt | undefined
  /** When the first part of the message is there. */
  data?: FaultAt | undefined
  /** When the whole message is there: after a cut or a stall here it was received all the same. */
  message?: FaultAt | undefined
}

/** The state of the sink, and the tests that wait for it. */
export interface SinkState {
  readonly faults: SmtpFaults
  readonly received: ReceivedMail[]
  readonly askedFor: string[]
  readonly waiting: Set<() => void>
  connections: number
  server: SMTPServer
}

type Answer = (error?: Error | null) => void

export function optionsOf(
  state: SinkState,
  { tls = 'none', auth }: SmtpSinkOptions,
  certificate: Certificate,
): SMTPServerOptions {
  const withoutTls = tls === 'none' ? ['STARTTLS'] : []
  const withoutAuth = auth === undefined ? ['AUTH'] : []
  const { faults } = state
  return {
    ...certificate,
    secure: tls === 'implicit',
    disabledCommands: [...withoutTls, ...withoutAuth],
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    // Its own rules know no quoted names, and no domain of 255 characters.
    lenientAddressParsing: true,
    closeTimeout: 10,
    onConnect(session, answer) {
      state.connections++
      void meet(state, session, faults.greeting, '', answer)
    },
    onAuth({ username, password }, _session, answer) {
      const isRight = username === auth?.user && password === auth?.password
      answer(isRight ? null : failure(535, '5.7.8 who are you'), { user: username })
    },
    onMailFrom({ address }, session, answer) {
      void meet(state, session, faults.sender, address, answer)
    },
    onRcptTo({ address }, session, answer) {
      state.askedFor.push(address)
      void meet(state, session, faults.recipient, address, answer)
    },
    onData: (stream, session, answer) => void takeMessage(state, stream, session, answer),
  }
}

async function takeMessage(
  state: SinkState,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  answer: Answer,
): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope
  const to = rcptTo.map(({ address }) => address)
  const [recipient = ''] = to
  const parts: Buffer[] = []
  try {
    for await (const part of stream) {
      const fault = parts.length === 0 ? await faultAt(state.faults.data, recipient) : undefined
      if (fault !== undefined) return strike(state, session, fault, answer)
      parts.push(part)
    }
    const fault = await faultAt(state.faults.message, recipient)
    if (typeof fault !== 'object') {
      const whole = Buffer.concat(parts)
      const email = await PostalMime.parse(whole)
      const from = mailFrom === false ? '' : mailFrom.address
      const { secure: isSecure, hostNameAppearsAs: hello } = session
      const raw = whole.toString()
      state.received.push({ at: new Date(), from, to, raw, email, isSecure, hello })
      for (const look of state.waiting) look()
    }
    strike(state, session, fault, answer)
  } catch {
    // The client hung up in the middle, so there is no message.
  }
}

async function meet(
  state: SinkState,
  session: SMTPServerSession,
  fault: FaultAt | undefined,
  address: string,
  answer: Answer,
): Promise<void> {
  strike(state, session, await faultAt(fault, address), answer)
}

async function faultAt(fault: FaultAt | undefined, address: string): Promise<Struck> {
  return typeof fault === 'function' ? fault(address) : fault
}

function strike(
  { server }: SinkState,
  session: SMTPServerSession,
  fault: Struck,
  answer: Answer,
): void {
  if (fault === undefined) answer(null)
  else if (fault === 'cut') {
    for (const connection of server.connections) {
      if (connection.id === session.id) connection._socket.destroy()
    }
  } else if (fault !== 'stall') answer(failure(fault.code, fault.text))
}

function failure(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
