// Examines the settings, each of which is valid, for combinations that do not work or that open
// more than they seem to; and the secrets in the database, which this process must be able to open.

import { isIP } from 'node:net'
import { missingKeys } from '../upkeep/secrets-keys.ts'
import { counted } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { bad, type Finding, findingsOf, odd } from './finding.ts'

const NAME_PROXIES = 'Set TRUST_PROXY to the addresses of your proxies, such as 10.0.0.0/8.'

export async function examineSettings(world: World): Promise<readonly Finding[]> {
  const { host, publicUrl = '', adminPassword, trustProxy, webhookAllowPrivate } = world.config
  const isOpen = !isLoopback(host)
  return [
    ...findingsOf('settings', 'all are valid and consistent', [
      bad(
        isOpen && isLoopback(hostOf(publicUrl)),
        `HOST is ${host}, and yet PUBLIC_URL sends payers to ${publicUrl}, which is their own machine`,
        'Set PUBLIC_URL to the address that payers reach, such as https://pay.example.com.',
      ),
      odd(
        isOpen && adminPassword === undefined,
        `the console at /admin is on ${host} without ADMIN_PASSWORD: only a link signs in to it`,
        'Set ADMIN_PASSWORD if operators work with it, or go on with lamplighter sign-in-link.',
      ),
      odd(
        trustProxy === false && publicUrl.startsWith('https:'),
        'PUBLIC_URL is https, so there is a proxy in front, and TRUST_PROXY does not name it: all callers behind it count as one',
        NAME_PROXIES,
      ),
      odd(
        trustProxy === true,
        'TRUST_PROXY is true: any caller may claim any address, and so get round the limit of failed sign-ins',
        NAME_PROXIES,
      ),
      odd(
        webhookAllowPrivate,
        'WEBHOOK_ALLOW_PRIVATE is true: merchants may have the service call addresses of your own network',
        'Unset WEBHOOK_ALLOW_PRIVATE unless you are the only merchant.',
      ),
      ...world.config.misspelt.map(({ variable, setting }) =>
        odd(
          true,
          `${variable} is set but is not a setting: did you mean ${setting}?`,
          `Set ${setting}, or unset ${variable}.`,
        ),
      ),
    ]),
    ...(await examineLiveGateway(world)),
  ]
}

const LIVE_TEAMS = `
  SELECT count(DISTINCT a.id)::integer AS count,
    count(DISTINCT a.id) FILTER (WHERE NOT a.live_gateway = ANY($1))::integer AS stranded
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE a.mode = 'live' AND k.revoked_at IS NULL`

/** Each team has a live account; only a team with a key for it means to use it. */
async function examineLiveGateway(world: World): Promise<readonly Finding[]> {
  const names = world.gateways.ofMode('live').map(({ name }) => name)
  const [{ count = 0, stranded = 0 } = {}] = await world.db.query(LIVE_TEAMS, [names])
  const setUp = providersOf(world).filter(({ name }) => names.includes(name))
  const named = setUp.map(({ isTest, name }) => (isTest ? `${name}, with a test key` : name))
  const teams = (how: number) => counted(how, 'team has', 'teams have')
  return findingsOf('live gateway', named.join('; ') || 'none, and no team has a live key', [
    ...setUp.flatMap(({ events, isTest, keys, title, webhookSecrets, webhookSetting }) => [
      odd(
        isTest && count > 0,
        `${title} is used with a test key: no money moves, although ${teams(count)} a live key`,
        `Set ${keys} to the live keys before real payments.`,
      ),
      odd(
        webhookSecrets.length === 0,
        `${title}'s events are refused, because ${webhookSetting} is not set: payments that take days are recorded up to an hour late`,
        `Add an endpoint for ${events} in the dashboard of ${title}, and set ${webhookSetting}.`,
      ),
    ]),
    bad(
      setUp.length === 0 && count > 0,
      `none, and ${teams(count)} a live key: each live charge is answered 503 no_live_gateway`,
      `Set ${STRIPE_KEYS}, or revoke the keys: lamplighter keys revoke.`,
    ),
    bad(
      setUp.length > 0 && stranded > 0,
      `${teams(stranded)} a live key and a gateway that is not set up: each live charge is answered 503 no_live_gateway`,
      'Set the keys of that gateway, or lamplighter teams set … live_gateway=default.',
    ),
  ])
}

const STRIPE_KEYS = 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY'

function providersOf({ config }: World) {
  const { checkout, stripe } = config
  const stripes = stripe && {
    ...stripe,
    name: 'stripe',
    title: 'Stripe',
    events: '/provider/stripe',
    keys: STRIPE_KEYS,
    webhookSetting: 'STRIPE_WEBHOOK_SECRET',
  }
  const checkouts = checkout && {
    ...checkout,
    name: 'checkout',
    title: 'Checkout.com',
    events: '/provider/checkout',
    keys: 'CHECKOUT_SECRET_KEY and CHECKOUT_PUBLIC_KEY',
    webhookSetting: 'CHECKOUT_WEBHOOK_SECRET',
  }
  return [stripes, checkouts].filter((one) => one !== undefined)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost')
}

const SECRETS = `
  SELECT count(*) FILTER (WHERE starts_with(secret, 'whsec_')
      OR starts_with(previous_secret, 'whsec_'))::integer AS clear,
    count(*) FILTER (WHERE starts_with(secret, 'sealed:') AND NOT starts_with(secret, $1)
      OR starts_with(previous_secret, 'sealed:') AND NOT starts_with(previous_secret, $1))
      ::integer AS former
  FROM webhook`

const ROTATE = 'lamplighter secrets rotate seals them, while the service runs.'

export async function examineSecrets(world: World): Promise<readonly Finding[]> {
  const { vault, config, db } = world
  const [mine] = vault.keyIds()
  const [{ clear = 0, former = 0 } = {}] = await db.query(SECRETS, [vault.sealedBy(mine ?? 'none')])
  const missing = await missingKeys(world)
  const endpoints = (count: number) => counted(count, 'endpoint has', 'endpoints have')
  return findingsOf('secrets', mine === undefined ? 'none yet' : `sealed with key ${mine}`, [
    bad(
      missing.length > 0,
      `key ${missing.join(', ')} is missing here: no process starts, and no webhook can be signed without it`,
      'Set SECRETS_KEY to what the other processes have, the new key before the old one, comma-separated.',
    ),
    bad(clear > 0, `${endpoints(clear)} a secret in clear in the database`, ROTATE),
    odd(former > 0, `${endpoints(former)} a secret under a former key`, ROTATE),
    // An embedded database and its key lie in the same folder, which no other machine shares.
    odd(
      !vault.isShared && config.databaseUrl !== undefined && mine !== undefined,
      `the key of secrets is on this machine alone, in ${config.dataDir}`,
      'Set SECRETS_KEY to the line in secrets.key, for every process, and keep a copy apart from the backups.',
    ),
  ])
}
