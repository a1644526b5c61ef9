import { findMisspelt, type Misspelling } from './config/find-misspelt.ts'
import type { TrustProxy } from './config/kinds.ts'
import { ownAddress } from './config/own-address.ts'
import type { RedisTarget } from './config/redis-target.ts'
import type { Setting } from './config/setting.ts'
import { SETTINGS } from './config/settings.ts'
import type { SmsSender } from './core/sms-sender.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Twilio {
  readonly accountSid: string
  readonly authToken: string
  /** A messaging service goes before a number where both are set. */
  readonly sender: SmsSender
}

/** Addresses are text and not URL objects, which no freezing would keep from changing. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Without a slash at its end. Not known before listening where `port` is 0. */
  readonly publicUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly redis: RedisTarget | undefined
  /** Absolute. */
  readonly dataDir: string
  readonly seedApiKey: string | undefined
  readonly rateLimitPerMinute: number
  readonly trustProxy: TrustProxy
  readonly corsOrigins: '*' | readonly string[]
  readonly chargeWaitMs: number
  readonly pendingDeadlineMs: number
  /** Before the grace; of the intake alone. */
  readonly drainMs: number
  readonly graceMs: number
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly emailPerSecond: number
  readonly twilio: Twilio | undefined
  readonly smsPerSecond: number
  readonly deliveryRetentionDays: number
  readonly webhookAllowPrivate: boolean
  readonly stripeSecretKey: string | undefined
  readonly adminPassword: string | undefined
  /** 32 bytes each, in base64; the first seals. */
  readonly secretsKeys: readonly string[] | undefined
  /** The console and the metrics are there and nowhere else; they share `port` without one. */
  readonly adminPort: number | undefined
  /** Where a worker answers probes and is measured; it does not listen without one. */
  readonly workerPort: number | undefined
  /** Where traces go: the base address of an OTLP/HTTP collector. */
  readonly otlpUrl: string | undefined
  /** What traces carry; the collector's key may be among them. */
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined
  readonly serviceName: string
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Variables that were not read, and look like a setting. */
  readonly misspelt: readonly Misspelling[]
}

export interface SettingFault {
  readonly setting: string
  readonly message: string
}

type Values = {
  readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['absent']>
}

const TWILIO = [
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_FROM',
  'TWILIO_MESSAGING_SERVICE_SID',
] as const

/** Wherever one of `by` is set, one of `oneOf` must be. */
const REQUIREMENTS = [
  { by: ['SMTP_URL'], oneOf: ['MAIL_FROM'] },
  { by: TWILIO, oneOf: ['TWILIO_ACCOUNT_SID'] },
  { by: TWILIO, oneOf: ['TWILIO_AUTH_TOKEN'] },
  { by: TWILIO, oneOf: ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'] },
] as const

/** Names every wrong setting. What it says can be printed and logged: it holds no secret. */
export class SettingsError extends Error {
  readonly faults: readonly SettingFault[]

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map(({ setting, message }) => `\n  ${setting}: ${message}`)
    super(`wrong settings in the environment:${lines.join('')}`)
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/** What the documentation's table of settings must say. */
export const settings: readonly {
  readonly name: string
  readonly meaning: string
  readonly fallback: string
}[] = Object.values(SETTINGS).map(({ name, meaning, fallback }) => ({ name, meaning, fallback }))

/** Reads and checks every setting, also those of parts that start later or never. */
export function readConfig(env: Environment = process.env): Config {
  const entries = Object.entries(SETTINGS).map(
    ([key, setting]) => [key, read(setting, env)] as const,
  )
  const wrong = entries.flatMap(([, outcome]) => (outcome.fault ? [outcome.fault] : []))
  // The keys are the table's own, which the compiler cannot follow. A wrong one is undefined here.
  const values = Object.fromEntries(entries.map(([key, { value }]) => [key, value])) as Values
  const faults = [...wrong, ...missing(env), ...clashing(values)]
  if (faults.length > 0) throw new SettingsError(faults)
  return deepFrozen({ ...assemble(values), misspelt: findMisspelt(env) })
}

function read(
  setting: Setting<unknown>,
  env: Environment,
): { value?: unknown; fault?: SettingFault } {
  const text = textOf(setting.name, env)
  if (text === undefined) return { value: setting.absent() }
  const value = setting.kind.parse(text)
  if (value !== undefined) return { value }
  const message = `got ${setting.kind.show(text)}, want ${setting.kind.wanted}`
  return { fault: { setting: setting.name, message } }
}

/** An empty value is an absent one: that is how a compose file passes on what nobody has set. */
function textOf(name: string, env: Environment): string | undefined {
  return env[name]?.trim() || undefined
}

/**
 * One that is there but wrong has been named already. The fault stands under the first that would
 * do.
 */
function missing(env: Environment): SettingFault[] {
  const has = (name: string) => textOf(name, env) !== undefined
  return REQUIREMENTS.flatMap(({ by, oneOf }) => {
    const cause = by.find(has)
    if (cause === undefined || oneOf.some(has)) return []
    return [{ setting: oneOf[0], message: `got nothing, want ${oneOf.join(' or ')} with ${cause}` }]
  })
}

/** Each 0 is another free port. */
function clashing({ port, adminPort }: Values): SettingFault[] {
  if (adminPort === undefined || adminPort === 0 || adminPort !== port) return []
  return [{ setting: 'ADMIN_PORT', message: `got ${adminPort}, want another port than PORT` }]
}

function assemble(values: Values): Omit<Config, 'misspelt'> {
  const { twilioAccountSid, twilioAuthToken, twilioFrom, twilioMessagingServiceSid, ...rest } =
    values
  return { ...rest, publicUrl: values.publicUrl ?? ownUrl(values), twilio: twilioOf(values) }
}

function ownUrl({ host, port }: Values): string | undefined {
  return port === 0 ? undefined : ownAddress(host, port)
}

function twilioOf(values: Values): Twilio | undefined {
  const { twilioAccountSid: accountSid, twilioAuthToken: authToken, twilioFrom: from } = values
  const { twilioMessagingServiceSid: messagingServiceSid } = values
  if (accountSid === undefined || authToken === undefined) return undefined
  if (messagingServiceSid) {
    return { accountSid, authToken, sender: { kind: 'service', messagingServiceSid } }
  }
  return from ? { accountSid, authToken, sender: { kind: 'number', from } } : undefined
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
