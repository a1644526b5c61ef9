// Every setting once, in the order of the documentation.

import { strict as assert } from 'node:assert'
import * as kinds from './kinds.ts'
import { duration, integer, type SettingKind, secret, serverUrl } from './kinds.ts'
import { redisTarget } from './redis-target.ts'

/** `fallback` says what happens without the setting; `absent` is the value in that case. */
export interface Setting<T> {
  readonly name: string
  readonly meaning: string
  readonly fallback: string
  readonly kind: SettingKind<T>
  readonly absent: () => T | undefined
}

interface Preset<T> extends Setting<T> {
  readonly absent: () => T
}

/** The default is written as in the environment, so that the documentation can quote it. */
function preset<T>(
  name: string,
  meaning: string,
  kind: SettingKind<T>,
  fallback: string,
): Preset<T> {
  const absent = () => {
    const value = kind.parse(fallback)
    assert(value !== undefined, `the default of ${name} is not ${kind.wanted}`)
    return value
  }
  return { name, meaning, fallback, kind, absent }
}

function optional<T>(
  name: string,
  meaning: string,
  kind: SettingKind<T>,
  fallback: string,
): Setting<T> {
  return { name, meaning, fallback, kind, absent: () => undefined }
}

const PORTS = integer(0, 65_535)

/** Keys that the service makes hold 32 random bytes; a sandbox key that a person chose may be shorter. */
const SANDBOX_KEY = /^sk_sandbox_[A-Za-z0-9_-]{16,200}$/

/** A secret or restricted key; the publishable one (`pk_`) cannot charge. */
const STRIPE_KEY = /^(sk|rk)_[A-Za-z0-9_]{8,}$/
const STRIPE_PUBLISHABLE_KEY = /^pk_[A-Za-z0-9_]{8,}$/

/** They end in a check character that need not be a letter. */
const CHECKOUT_KEY = /^sk_[A-Za-z0-9_]{8,}[*#$=]?$/
const CHECKOUT_PUBLIC_KEY = /^pk_[A-Za-z0-9_]{8,}[*#$=]?$/
const CHECKOUT_CHANNEL = /^pc_[a-z0-9]{8,}$/

const POSTGRES =
  'postgres://user:password@host:5432/database, special characters of a password as %40, encryption as ?sslmode=verify-full'

const SMTP =
  'smtp:// or smtps://user:password@host:port, special characters of a password as %40, encryption as ?requireTLS=true'

const OF_POSTGRES = {
  schemes: ['postgres:', 'postgresql:'],
  needsHost: false,
  // Those of our driver, and those that other clients of PostgreSQL write into an address.
  encryption: [
    ...['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'sslpassword'],
    ...['sslcrl', 'sslcrldir', 'sslcertmode', 'sslsni', 'sslcompression', 'requiressl'],
    ...['ssl_min_protocol_version', 'ssl_max_protocol_version', 'sslaccept', 'sslidentity'],
  ],
}

const OF_SMTP = {
  schemes: ['smtp:', 'smtps:'],
  needsHost: true,
  encryption: ['requireTLS', 'ignoreTLS', 'opportunisticTLS'],
}

/** A payment that is in doubt for a week needs a person; a timer cannot wait for more than 24 days. */
const LONGEST_DEADLINE = '168h'

export const SETTINGS = {
  port: preset('PORT', 'the port of the API server; 0 takes any free one', PORTS, '3000'),
  host: preset('HOST', 'the address that the API server listens on', kinds.host, '127.0.0.1'),
  publicUrl: optional(
    'PUBLIC_URL',
    'how payers reach the pages',
    kinds.publicUrl,
    'from `HOST` and `PORT`',
  ),
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL',
    serverUrl(POSTGRES, OF_POSTGRES),
    'none: an embedded PostgreSQL in `DATA_DIR`',
  ),
  readDatabaseUrl: optional(
    'READ_DATABASE_URL',
    'a standby of `DATABASE_URL` for lists and files; the primary answers while it is away or behind',
    serverUrl(POSTGRES, OF_POSTGRES),
    'none: the primary answers everything',
  ),
  databaseConnections: preset(
    'DATABASE_CONNECTIONS',
    'how many connections a process opens to PostgreSQL at most; with `REDIS_URL` about half of them',
    integer(12, 150),
    '34',
  ),
  redis: optional(
    'REDIS_URL',
    'Redis or a compatible server for the queues (`redis://`, `rediss://`, a comma-separated list for a cluster, `redis+sentinel://host:port,host:port/name`)',
    redisTarget,
    'none: the queues live in PostgreSQL',
  ),
  dataDir: preset('DATA_DIR', 'what the embedded parts keep', kinds.path, '.data'),
  seedApiKey: optional(
    'SEED_API_KEY',
    'makes sure that a sandbox team "Demo" with exactly this key exists',
    secret('sk_sandbox_ and 16 or more of A-Z, a-z, 0-9, - and _', SANDBOX_KEY),
    'none: the first start makes one and prints it',
  ),
  rateLimitPerMinute: preset(
    'RATE_LIMIT_PER_MINUTE',
    'the requests a minute that a new account gets',
    integer(1, 1_000_000),
    '100',
  ),
  trustProxy: preset(
    'TRUST_PROXY',
    'whose `X-Forwarded-For` is believed: `true`, `false`, or addresses and ranges, comma-separated',
    kinds.trustProxy,
    'false',
  ),
  corsOrigins: preset(
    'CORS_ORIGINS',
    'which origins may call from a browser: `*`, or origins, comma-separated',
    kinds.origins,
    '*',
  ),
  chargeWaitMs: preset(
    'CHARGE_WAIT_MS',
    'how long a charge waits for the gateway before it answers PENDING',
    duration('0s', '5m'),
    '10s',
  ),
  pendingDeadlineMs: preset(
    'PENDING_DEADLINE_MS',
    'how long the gateway is asked about a payment in doubt',
    duration('100ms', LONGEST_DEADLINE),
    '3h',
  ),
  drainMs: preset(
    'DRAIN_MS',
    'how long the API server serves on after SIGTERM, no longer ready, so that a load balancer notices',
    duration('0s', '5m'),
    '0s',
  ),
  graceMs: preset(
    'GRACE_MS',
    'how long running work may take to finish after SIGTERM and `DRAIN_MS`',
    duration('0s', '10m'),
    '30s',
  ),
  smtpUrl: optional(
    'SMTP_URL',
    'the server that takes e-mail (`smtp://`, `smtps://`)',
    serverUrl(SMTP, OF_SMTP),
    'none: e-mail is kept in an outbox that the console shows',
  ),
  smtpCaFile: optional(
    'SMTP_CA_FILE',
    'a PEM file of the authorities that vouch for the mail server, in place of the public ones',
    kinds.path,
    'none: the public authorities',
  ),
  mailFrom: preset(
    'MAIL_FROM',
    'the sender of e-mail, required with `SMTP_URL`',
    kinds.mailbox,
    'lamplighter@localhost',
  ),
  emailPerSecond: preset('EMAIL_PER_SECOND', 'e-mails a second at most', integer(1, 10_000), '10'),
  twilioAccountSid: optional(
    'TWILIO_ACCOUNT_SID',
    "Twilio's account, which sends SMS",
    secret("Twilio's account SID, which begins with AC", /^AC[A-Za-z0-9]+$/),
    'none: SMS are kept in the same outbox',
  ),
  twilioAuthToken: optional(
    'TWILIO_AUTH_TOKEN',
    "Twilio's token, which also signs its callbacks",
    secret("Twilio's auth token, without spaces", /^\S+$/),
    'none: required with `TWILIO_ACCOUNT_SID`',
  ),
  twilioFrom: optional(
    'TWILIO_FROM',
    'the number that SMS come from',
    kinds.phoneNumber,
    'none: `TWILIO_MESSAGING_SERVICE_SID` chooses',
  ),
  twilioMessagingServiceSid: optional(
    'TWILIO_MESSAGING_SERVICE_SID',
    "Twilio's messaging service; it goes before `TWILIO_FROM`",
    secret("a messaging service's SID, which begins with MG", /^MG[A-Za-z0-9]+$/),
    'none: SMS come from `TWILIO_FROM`',
  ),
  // Twilio lets a plain US number send one a second.
  smsPerSecond: preset('SMS_PER_SECOND', 'SMS a second at most', integer(1, 1_000), '1'),
  sandboxMessagesPerDay: preset(
    'SANDBOX_MESSAGES_PER_DAY',
    'how many e-mails, and how many SMS, a sandbox account sends within a day; 0 sends none',
    integer(0, 1_000_000),
    '1000',
  ),
  deliveryRetentionDays: preset(
    'DELIVERY_RETENTION_DAYS',
    'how many days the delivery history and the outbox are kept',
    integer(1, 3_650),
    '90',
  ),
  webhookAllowPrivate: preset(
    'WEBHOOK_ALLOW_PRIVATE',
    'whether webhooks may go to http and to private addresses',
    kinds.boolean,
    'false',
  ),
  stripeSecretKey: optional(
    'STRIPE_SECRET_KEY',
    'the live gateway: the secret key of your Stripe account',
    secret("Stripe's secret key, which begins with sk_ or rk_", STRIPE_KEY),
    'none: live accounts answer 503 `no_live_gateway`',
  ),
  stripePublishableKey: optional(
    'STRIPE_PUBLISHABLE_KEY',
    "the key with which a payer's browser sends a card to Stripe",
    secret("Stripe's publishable key, which begins with pk_", STRIPE_PUBLISHABLE_KEY),
    'none: required with `STRIPE_SECRET_KEY`',
  ),
  stripeWebhookSecrets: optional(
    'STRIPE_WEBHOOK_SECRET',
    'checks the events that Stripe sends; of several, comma-separated, each may have signed',
    kinds.stripeWebhookSecrets,
    'none: Stripe is asked, and its events are refused',
  ),
  stripeApiUrl: optional(
    'STRIPE_API_URL',
    'where a stand-in for Stripe listens, for trials',
    kinds.publicUrl,
    "none: Stripe's own API",
  ),
  stripeRequestsPerSecond: preset(
    'STRIPE_REQUESTS_PER_SECOND',
    'the most requests that a process sends in a second to an endpoint of one Stripe account',
    integer(1, 10_000),
    '25',
  ),
  checkoutSecretKey: optional(
    'CHECKOUT_SECRET_KEY',
    'another live gateway: the secret key of your Checkout.com account',
    secret("Checkout.com's secret key, which begins with sk_", CHECKOUT_KEY),
    'none: no account uses Checkout.com',
  ),
  checkoutPublicKey: optional(
    'CHECKOUT_PUBLIC_KEY',
    "the key with which a payer's browser sends a card to Checkout.com",
    secret("Checkout.com's public key, which begins with pk_", CHECKOUT_PUBLIC_KEY),
    'none: required with `CHECKOUT_SECRET_KEY`',
  ),
  checkoutProcessingChannel: optional(
    'CHECKOUT_PROCESSING_CHANNEL',
    'the processing channel of Checkout.com that takes the payments',
    secret("the channel's id, which begins with pc_", CHECKOUT_CHANNEL),
    'none: required with `CHECKOUT_SECRET_KEY`',
  ),
  checkoutWebhookSecrets: optional(
    'CHECKOUT_WEBHOOK_SECRET',
    'checks the events that Checkout.com sends; of several, comma-separated, each may have signed',
    kinds.checkoutWebhookSecrets,
    'none: Checkout.com is asked, and its events are refused',
  ),
  checkoutApiUrl: optional(
    'CHECKOUT_API_URL',
    'the address of the API that Checkout.com has given you, or where a stand-in listens',
    kinds.publicUrl,
    'none: `https://api.checkout.com`, or its sandbox if the keys are of it',
  ),
  adminPassword: optional(
    'ADMIN_PASSWORD',
    'the password of the console at `/admin`',
    kinds.password,
    'none: a one-time link is printed at the start',
  ),
  secretsKeys: optional(
    'SECRETS_KEY',
    'seals the secrets of webhooks in the database: 32 random bytes in base64 or hex; of several, comma-separated, the first seals and all open',
    kinds.secretsKeys,
    'none: one is made and kept in `DATA_DIR`',
  ),
  adminPort: optional(
    'ADMIN_PORT',
    'where the console and `/metrics` of an API server are served, on `HOST`, and no longer on `PORT`',
    PORTS,
    'none: they are served on `PORT`',
  ),
  workerPort: optional(
    'WORKER_PORT',
    'where a worker answers `/healthz`, `/readyz` and `/metrics`, on `HOST`',
    PORTS,
    'none: a worker does not listen',
  ),
  otlpUrl: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'where traces go: a collector that takes OTLP over HTTP, such as http://localhost:4318',
    kinds.publicUrl,
    'none: nothing is traced',
  ),
  otlpHeaders: optional(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'what each batch of traces carries, such as the key of the collector: `name=value`, comma-separated',
    kinds.headerPairs,
    'none: nothing is added',
  ),
  serviceName: preset(
    'OTEL_SERVICE_NAME',
    'what traces call the service',
    kinds.oneWord,
    'lamplighter',
  ),
  logLevel: preset(
    'LOG_LEVEL',
    'what is logged: fatal, error, warn, info, debug, trace or silent',
    kinds.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ),
  logFormat: preset(
    'LOG_FORMAT',
    'the form of the log: json, pretty for people, or auto (pretty on a terminal, json elsewhere)',
    kinds.oneOf(['auto', 'json', 'pretty']),
    'auto',
  ),
} as const
