// The only reader of the environment.

import { isIPv6 } from 'node:net'
import { findMisspelt, type Misspelling } from './config/find-misspelt.ts'
import { SETTINGS, type Setting } from './config/settings.ts'
import { NamedError } from './core/named-error.ts'
import type { SmsSender } from './core/sms-sender.ts'

type Environment = Readonly<Record<string, string | undefined>>

type Values = {
  readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['absent']>
}

type VendorKey = Extract<keyof Values, `${'checkout' | 'stripe' | 'twilio'}${string}`>

interface Twilio {
  readonly accountSid: string
  readonly authToken: string
  /** A messaging service goes before a number if both are set. */
  readonly sender: SmsSender
}

/** A live gateway. */
interface StripeSettings {
  readonly secretKey: string
  readonly publishableKey: string
  /** Empty: Stripe's events are refused, and Stripe is asked instead. */
  readonly webhookSecrets: readonly string[]
  readonly apiUrl: string | undefined
  readonly requestsPerSecond: number
  /** With a key for tests no money moves. */
  readonly isTest: boolean
}

/** Another live gateway. */
interface CheckoutSettings {
  readonly secretKey: string
  readonly publicKey: string
  readonly processingChannel: string
  /** Empty: the events of Checkout.com are refused, and it is asked instead. */
  readonly webhookSecrets: readonly string[]
  readonly apiUrl: string
  /** With a key of the sandbox no money moves. */
  readonly isTest: boolean
}

/** Times are in milliseconds. Addresses are text, because a `URL` cannot be frozen. */
export interface Config extends Omit<Values, VendorKey> {
  readonly twilio: Twilio | undefined
  readonly stripe: StripeSettings | undefined
  readonly checkout: CheckoutSettings | undefined
  /** Variables that were not read, and look like a setting. */
  readonly misspelt: readonly Misspelling[]
}

export interface SettingFault {
  readonly setting: string
  readonly message: string
}

const TWILIO = [
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_FROM',
  'TWILIO_MESSAGING_SERVICE_SID',
] as const

const STRIPE = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_URL',
] as const

const CHECKOUT = [
  'CHECKOUT_SECRET_KEY',
  'CHECKOUT_PUBLIC_KEY',
  'CHECKOUT_PROCESSING_CHANNEL',
  'CHECKOUT_WEBHOOK_SECRET',
  'CHECKOUT_API_URL',
] as const

/** When one of `by` is set, one of `oneOf` must be. */
const REQUIREMENTS = [
  { by: ['READ_DATABASE_URL'], oneOf: ['DATABASE_URL'] },
  { by: ['SMTP_URL'], oneOf: ['MAIL_FROM'] },
  { by: ['SMTP_CA_FILE'], oneOf: ['SMTP_URL'] },
  { by: TWILIO, oneOf: ['TWILIO_ACCOUNT_SID'] },
  { by: TWILIO, oneOf: ['TWILIO_AUTH_TOKEN'] },
  { by: TWILIO, oneOf: ['TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'] },
  { by: STRIPE, oneOf: ['STRIPE_SECRET_KEY'] },
  { by: STRIPE, oneOf: ['STRIPE_PUBLISHABLE_KEY'] },
  { by: CHECKOUT, oneOf: ['CHECKOUT_SECRET_KEY'] },
  { by: CHECKOUT, oneOf: ['CHECKOUT_PUBLIC_KEY'] },
  { by: CHECKOUT, oneOf: ['CHECKOUT_PROCESSING_CHANNEL'] },
] as const

/** Names every invalid setting. It quotes no secret, so it can be printed and logged. */
export class SettingsError extends NamedError {
  readonly faults: readonly SettingFault[]

  constructor(faults: readonly SettingFault[]) {
    const lines = faults.map(({ setting, message }) => `\n  ${setting}: ${message}`)
    super(`wrong settings in the environment:${lines.join('')}`)
    this.faults = faults
  }
}

/** Checks every setting, including those of parts that this process does not start. */
export function readConfig(env: Environment = process.env): Config {
  const entries = Object.entries(SETTINGS).map(
    ([key, setting]) => [key, read(setting, env)] as const,
  )
  const wrong = entries.flatMap(([, outcome]) => (outcome.fault ? [outcome.fault] : []))
  // The cast restores the table's own keys. An invalid setting is undefined here.
  const values = Object.fromEntries(entries.map(([key, { value }]) => [key, value])) as Values
  const faults = [...wrong, ...missing(env), ...clashing(values), ...mixedKeys(values)]
  if (faults.length > 0) throw new SettingsError(faults)
  return deepFrozen({ ...assemble(values), misspelt: findMisspelt(env) })
}

/**
 * Docker's `--env-file` keeps quotation marks. A folder or a password with them would be another
 * one, and the service would start with it.
 */
const QUOTED = /^(["']).*\1$/s

const UNQUOTED = 'got a value in quotation marks, want it without them'

function read(
  setting: Setting<unknown>,
  env: Environment,
): { value?: unknown; fault?: SettingFault } {
  const text = textOf(setting.name, env)
  if (text === undefined) return { value: setting.absent() }
  if (QUOTED.test(text)) return { fault: { setting: setting.name, message: UNQUOTED } }
  const value = setting.kind.parse(text)
  if (value !== undefined) return { value }
  const message = `got ${setting.kind.show(text)}, want ${setting.kind.wanted}`
  return { fault: { setting: setting.name, message } }
}

/** An empty value counts as absent, because a compose file passes an unset variable on as empty. */
function textOf(name: string, env: Environment): string | undefined {
  return env[name]?.trim() || undefined
}

/** Reported under the first setting that would do. One that is set but invalid counts as present. */
function missing(env: Environment): SettingFault[] {
  const has = (name: string) => textOf(name, env) !== undefined
  return REQUIREMENTS.flatMap(({ by, oneOf }) => {
    const cause = by.find(has)
    if (cause === undefined || oneOf.some(has)) return []
    return [{ setting: oneOf[0], message: `got nothing, want ${oneOf.join(' or ')} with ${cause}` }]
  })
}

/** Two ports of 0 do not clash: each is another free port. */
function clashing({ port, adminPort }: Values): SettingFault[] {
  if (adminPort === undefined || adminPort === 0 || adminPort !== port) return []
  return [{ setting: 'ADMIN_PORT', message: `got ${adminPort}, want another port than PORT` }]
}

/** A test key of one kind beside a live key of the other is two accounts, or a mistake. */
function mixedKeys(values: Values): SettingFault[] {
  const { checkoutPublicKey, checkoutSecretKey, stripePublishableKey, stripeSecretKey } = values
  return [
    ...mixedPair(
      ['STRIPE_SECRET_KEY', stripeSecretKey],
      ['STRIPE_PUBLISHABLE_KEY', stripePublishableKey],
      { test: 'pk_test_…', live: 'pk_live_…' },
    ),
    ...mixedPair(
      ['CHECKOUT_SECRET_KEY', checkoutSecretKey],
      ['CHECKOUT_PUBLIC_KEY', checkoutPublicKey],
      { test: 'pk_sbox_…', live: 'pk_…' },
    ),
  ]
}

function mixedPair(
  [secretName, secretKey]: readonly [string, string | undefined],
  [setting, publicKey]: readonly [string, string | undefined],
  forms: { readonly test: string; readonly live: string },
): SettingFault[] {
  if (secretKey === undefined || publicKey === undefined) return []
  const isTest = isTestKey(secretKey)
  if (isTestKey(publicKey) === isTest) return []
  const wanted = isTest ? `${forms.test}, because ${secretName} is a test key` : forms.live
  return [{ setting, message: `got the other kind, want ${wanted}` }]
}

/** `sk_test_…` of Stripe, and `sk_sbox_…` of Checkout.com. */
function isTestKey(key: string): boolean {
  return /^[a-z]+_(sbox|test)_/.test(key)
}

/** The settings of each vendor become one value. */
function assemble(values: Values): Omit<Config, 'misspelt'> {
  const others = Object.entries(values).filter(([key]) => !/^(checkout|stripe|twilio)/.test(key))
  return {
    ...(Object.fromEntries(others) as Omit<Values, VendorKey>),
    publicUrl: values.publicUrl ?? ownUrl(values),
    twilio: twilioOf(values),
    stripe: stripeOf(values),
    checkout: checkoutOf(values),
  }
}

/** `0.0.0.0` and `::` mean all addresses; the same machine reaches them as localhost. */
function ownAddress(host: string, port: number): string {
  const isAll = host === '0.0.0.0' || host === '::'
  const name = isIPv6(host) ? `[${host}]` : host
  return `http://${isAll ? 'localhost' : name}:${port}`
}

/** The address at which payers reach the pages, without a slash at the end. */
export function publicAddressOf({
  host,
  port,
  publicUrl,
}: Pick<Config, 'host' | 'port' | 'publicUrl'>): string {
  return publicUrl ?? ownAddress(host, port)
}

/** The address at which operators reach the console, without a slash at the end. */
export function adminAddressOf(
  config: Pick<Config, 'adminPort' | 'host' | 'port' | 'publicUrl'>,
): string {
  const { adminPort, host } = config
  return adminPort === undefined ? publicAddressOf(config) : ownAddress(host, adminPort)
}

/** True if the address is the machine's own, from a port: PUBLIC_URL does not say it. */
export function isOwnAdminAddress(
  config: Pick<Config, 'adminPort' | 'host' | 'port' | 'publicUrl'>,
): boolean {
  const { host, port } = config
  return config.adminPort !== undefined || publicAddressOf(config) === ownAddress(host, port)
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

function stripeOf(values: Values): StripeSettings | undefined {
  const { stripeSecretKey: secretKey, stripePublishableKey: publishableKey } = values
  if (secretKey === undefined || publishableKey === undefined) return undefined
  return {
    secretKey,
    publishableKey,
    webhookSecrets: values.stripeWebhookSecrets ?? [],
    apiUrl: values.stripeApiUrl,
    requestsPerSecond: values.stripeRequestsPerSecond,
    isTest: isTestKey(secretKey),
  }
}

const CHECKOUT_API = { live: 'https://api.checkout.com', test: 'https://api.sandbox.checkout.com' }

function checkoutOf(values: Values): CheckoutSettings | undefined {
  const { checkoutPublicKey: publicKey, checkoutSecretKey: secretKey } = values
  const { checkoutProcessingChannel: processingChannel } = values
  if (!secretKey || !publicKey || !processingChannel) return undefined
  const isTest = isTestKey(secretKey)
  return {
    secretKey,
    publicKey,
    processingChannel,
    webhookSecrets: values.checkoutWebhookSecrets ?? [],
    apiUrl: values.checkoutApiUrl ?? (isTest ? CHECKOUT_API.test : CHECKOUT_API.live),
    isTest,
  }
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
