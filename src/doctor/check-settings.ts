// Checks the settings, each of which is valid, for combinations that do not work or that open more
// than they seem to; and the secrets in the database.

import { isIP } from 'node:net'
import { counted } from '../core/counts.ts'
import { sentenceOf } from '../core/sentence.ts'
import { databaseAddress } from '../db/database-address.ts'
import { countUnreadable } from '../upkeep/forget-secrets-key.ts'
import { lackOfKeys } from '../upkeep/secrets-keys.ts'
import type { World } from '../world.ts'
import { type Check, fault, warning } from './check.ts'

/** Names the installation, so that a wrong `DATA_DIR` or `DATABASE_URL` is noticed. */
export const checkInstallation: Check = ({ config: { databaseUrl, dataDir } }) => {
  const isEmbedded = databaseUrl === undefined
  const ok = isEmbedded
    ? `the embedded PostgreSQL in ${dataDir}`
    : `the database ${databaseAddress(databaseUrl)}`
  return { subject: 'installation', ok, problems: [] }
}

const NAME_PROXIES = 'Set TRUST_PROXY to the addresses of your proxies, such as 10.0.0.0/8.'

export const checkSettings: Check = ({ config }) => {
  const { host, publicUrl = '', adminPassword, trustProxy, webhookAllowPrivate } = config
  const isOpen = !isLoopback(host)
  const problems = [
    isOpen &&
      isLoopback(hostOf(publicUrl)) &&
      fault(
        `HOST is ${host}, and PUBLIC_URL sends payers to ${publicUrl}, which is their own machine`,
        'Set PUBLIC_URL to the address that payers reach, such as https://pay.example.com.',
      ),
    isOpen &&
      adminPassword === undefined &&
      warning(
        `the console at /admin is on ${host} without ADMIN_PASSWORD: only a link signs in to it`,
        'Set ADMIN_PASSWORD if operators work with it, or go on with lamplighter sign-in-link.',
      ),
    trustProxy === false &&
      publicUrl.startsWith('https:') &&
      warning(
        'PUBLIC_URL is https, but TRUST_PROXY does not name its proxy: all callers count as one',
        NAME_PROXIES,
      ),
    trustProxy === true &&
      warning(
        'TRUST_PROXY is true: callers may claim any address, and so escape the sign-in limit',
        NAME_PROXIES,
      ),
    webhookAllowPrivate &&
      warning(
        'WEBHOOK_ALLOW_PRIVATE is true: merchants may have addresses of your own network called',
        'Unset WEBHOOK_ALLOW_PRIVATE unless you are the only merchant.',
      ),
    ...config.misspelt.map(({ variable, setting }) =>
      warning(
        `${variable} is set but is not a setting: did you mean ${setting}?`,
        `Set ${setting}, or unset ${variable}.`,
      ),
    ),
  ]
  return { subject: 'settings', ok: 'all are valid and consistent', problems }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost')
}

/** Each team has a live account; only a team with a key for it means to use it. */
const LIVE_TEAMS = `
  SELECT count(DISTINCT a.id)::integer AS count,
    count(DISTINCT a.id) FILTER (WHERE NOT a.live_gateway = ANY($1))::integer AS stranded
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE a.mode = 'live' AND k.revoked_at IS NULL`

export const checkLiveGateway: Check = async ({ config, db }) => {
  const gateways = liveGatewaysOf(config)
  const names = gateways.map(({ name }) => name)
  const [{ count = 0, stranded = 0 } = {}] = await db.query(LIVE_TEAMS, [names])
  const teams = (of: number) => `${counted(of, 'team has', 'teams have')} a live key`
  const texts = gateways.map(({ name, isTest }) => (isTest ? `${name}, with a test key` : name))
  const problems = [
    ...gateways.flatMap(({ name, title, isTest, webhookSecrets }) => [
      isTest &&
        count > 0 &&
        warning(
          `${title} is used with a test key: no money moves, although ${teams(count)}`,
          `Set the live keys of ${title} before real payments.`,
        ),
      webhookSecrets.length === 0 &&
        warning(
          `events of ${title} are refused: payments that take days are recorded an hour late`,
          `Add an endpoint for /provider/${name} at ${title}, and set ${name.toUpperCase()}_WEBHOOK_SECRET.`,
        ),
    ]),
    stranded > 0 &&
      fault(
        `${teams(stranded)} and no gateway: each live charge is answered 503 no_live_gateway`,
        'Set the keys of a gateway (STRIPE_… or CHECKOUT_…), choose one that is set (lamplighter teams set), or revoke the keys (lamplighter keys revoke).',
      ),
  ]
  const ok = texts.join('; ') || 'none, and no team has a live key'
  return { subject: 'live gateway', ok, problems }
}

function liveGatewaysOf({ checkout, stripe }: World['config']) {
  return [
    ...(stripe === undefined ? [] : [{ ...stripe, name: 'stripe', title: 'Stripe' }]),
    ...(checkout === undefined ? [] : [{ ...checkout, name: 'checkout', title: 'Checkout.com' }]),
  ]
}

/** Without those that nothing can seal again. */
const UNSEALED = `
  SELECT count(*)::integer AS count FROM webhook
  WHERE (NOT starts_with(secret, $1) OR NOT starts_with(previous_secret, $1))
    AND (starts_with(secret, 'whsec_') OR EXISTS (
      SELECT FROM unnest($2::text[]) AS own WHERE starts_with(secret, own)
    ))`

export const checkSecrets: Check = async (world) => {
  const { config, db, vault } = world
  const lack = await lackOfKeys(world)
  if (lack !== undefined) {
    return { subject: 'secrets', problems: [fault(lack.says, sentenceOf(lack.remedy))] }
  }
  const keys = vault.keyIds()
  const [key] = keys
  const prefixes = keys.map((id) => vault.sealedBy(id))
  const values = [vault.sealedBy(key ?? 'none'), prefixes]
  const [{ count = 0 } = {}] = await db.query(UNSEALED, values)
  const unreadable = await countUnreadable(world)
  const problems = [
    unreadable.endpoints > 0 &&
      warning(
        `${counted(unreadable.endpoints, 'endpoint has', 'endpoints have')} a secret under a key that is lost: no event is sent there`,
        'Each merchant rolls theirs (POST /webhook/{id}/roll-secret), or you do on the page of the endpoint. If the key is found, add it to SECRETS_KEY.',
      ),
    unreadable.operators > 0 &&
      warning(
        `${counted(unreadable.operators, 'operator has', 'operators have')} a second factor under a key that is lost: they cannot sign in`,
        'lamplighter operators reset-second-factor lets them set up another one.',
      ),
    count > 0 &&
      warning(
        `${counted(count, 'endpoint has', 'endpoints have')} a secret in clear or under a former key`,
        'lamplighter secrets rotate seals them, while the service runs.',
      ),
    // An embedded database and its key lie in the same folder, which no other machine shares.
    !vault.isShared &&
      config.databaseUrl !== undefined &&
      key !== undefined &&
      warning(
        `the key of secrets is on this machine alone, in ${config.dataDir}`,
        'Set SECRETS_KEY to the line in secrets.key, for every process, and keep a copy apart from the backups.',
      ),
  ]
  return {
    subject: 'secrets',
    ok: key === undefined ? 'none yet' : `sealed with key ${key}`,
    problems,
  }
}
