// One request to Twilio, made by Twilio's own client. It is loaded when the first text is sent,
// because it is large and most installations never send one.

import type { Agent } from 'node:https'
import type twilio from 'twilio'
import type { SmsSender } from '../../core/sms-sender.ts'
import { HOUR, MINUTE, SECOND } from '../../core/time-units.ts'
import type { TwilioRefusal } from './twilio-answers.ts'

export interface TwilioSettings {
  readonly accountSid: string
  readonly authToken: string
  readonly sender: SmsSender
  /** The address of the API, if it is not Twilio's own. */
  readonly apiUrl?: string | undefined
}

interface Text {
  readonly to: string
  readonly body: string
  readonly statusCallback: string | undefined
}

export type TwilioOutcome =
  | { readonly kind: 'created'; readonly sid: string }
  | ({ readonly kind: 'refused' } & TwilioRefusal)
  /** No answer that could be understood. `isSent` means that Twilio may have accepted it. */
  | { readonly kind: 'unanswered'; readonly isSent: boolean; readonly detail: string }

export interface TwilioClient {
  create(text: Text, signal: AbortSignal): Promise<TwilioOutcome>
  close(): void
}

/** Longer than any signal, so that the client's own timeout never ends first. */
const TIMEOUT_MS = 5 * MINUTE

/** An answer has less than a thousandth of it. */
const MOST_ANSWER_BYTES = 1024 * 1024

type Sdk = typeof twilio
type Http = InstanceType<Sdk['RequestClient']>

export async function openTwilioClient(settings: TwilioSettings): Promise<TwilioClient> {
  const { default: sdk } = await import('twilio')
  // The connections are shared by all messages; the rest of a client belongs to one message.
  const agent: Agent = newHttp(sdk).axios.defaults.httpsAgent
  return {
    create: (text, signal) => create(sdk, settings, agent, text, signal),
    close: () => agent.destroy(),
  }
}

async function create(
  sdk: Sdk,
  { accountSid, authToken, sender, apiUrl }: TwilioSettings,
  agent: Agent,
  { to, body, statusCallback }: Text,
  signal: AbortSignal,
): Promise<TwilioOutcome> {
  const http = newHttp(sdk)
  http.axios.defaults.httpsAgent = agent
  http.axios.interceptors.request.use((config) => {
    if (apiUrl !== undefined) config.url = atOrigin(apiUrl, config.url)
    config.signal = signal
    config.maxContentLength = MOST_ANSWER_BYTES
    return config
  })
  const { kind: _, ...from } = sender
  const callback = statusCallback === undefined ? {} : { statusCallback }
  try {
    const client = new sdk.Twilio(accountSid, authToken, { httpClient: http })
    const { sid } = await client.messages.create({ to, body, ...from, ...callback })
    return typeof sid === 'string' ? { kind: 'created', sid } : NO_SID
  } catch (error) {
    return outcomeOf(http, error)
  }
}

function newHttp(sdk: Sdk): Http {
  // Retries are counted elsewhere, so the client must not retry.
  return new sdk.RequestClient({ timeout: TIMEOUT_MS, autoRetry: false })
}

function atOrigin(apiUrl: string, url = ''): string {
  const { pathname, search } = new URL(url)
  return new URL(`${pathname}${search}`, apiUrl).href
}

const NO_SID = { kind: 'unanswered', isSent: true, detail: 'an answer without a sid' } as const

function outcomeOf(http: Http, error: unknown): TwilioOutcome {
  const answer = http.lastResponse
  if (answer === undefined) return unanswered(error as NetworkError)
  const { statusCode: status } = answer
  if (status >= 200 && status < 300) {
    return { kind: 'unanswered', isSent: true, detail: 'an answer that is no JSON' }
  }
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return {
    kind: 'refused',
    status,
    code: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : 'it did not say why',
    waitMs: twilioRetryAfterMs(answer.headers ?? {}),
  }
}

interface NetworkError {
  readonly code?: string
  readonly request?: {
    readonly writableFinished?: boolean
    readonly socket?: { readonly secureConnecting?: boolean } | null
  }
}

/** If the request was not sent completely, Twilio cannot have accepted it. */
function unanswered({ code = 'unknown', request }: NetworkError): TwilioOutcome {
  const isSent = request?.writableFinished === true && request.socket?.secureConnecting !== true
  const what = code === 'ERR_CANCELED' ? 'no answer in time' : `no answer: ${code}`
  return { kind: 'unanswered', isSent, detail: isSent ? what : `${what}; nothing was sent` }
}

/** A longer wait is cut to this, since it may be a mistake. */
const LONGEST_MS = HOUR

type Headers = Readonly<Record<string, unknown>>

/**
 * How long the provider asks us to wait: in seconds, or until a date. A date is compared with the
 * one that the answer itself bears, so that it does not matter whose clock is right. Undefined
 * where neither can be read.
 */
function twilioRetryAfterMs(headers: Headers): number | undefined {
  const header = String(headers['retry-after'] ?? '').trim()
  if (header === '') return undefined
  const ms = /^\d+$/.test(header)
    ? Number(header) * SECOND
    : Date.parse(header) - Date.parse(String(headers.date))
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_MS)
}
