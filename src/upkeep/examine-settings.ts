// What the doctor looks at of the settings: each is right by itself, or the doctor would not have
// begun; some do not go together, or open more than they seem to.

import { isIP } from 'node:net'
import type { World } from '../world.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { counted } from './words.ts'

export async function examineSettings(world: World): Promise<readonly Finding[]> {
  return [
    ...findingsOf('settings', 'all are right, and go together', [
      publicUrl(world),
      adminPassword(world),
      trustProxy(world),
      allowPrivate(world),
      ...world.config.misspelt.map(misspelt),
    ]),
    await liveTeams(world),
  ]
}

function misspelt({ variable, setting }: World['config']['misspelt'][number]): Fault {
  return odd(
    `${variable} is set, and no setting: is ${setting} meant?`,
    `Set ${setting}, or unset ${variable}.`,
  )
}

function publicUrl({ config: { host, publicUrl: url } }: World): Fault | undefined {
  if (url === undefined || isLoopback(host) || !isLoopback(hostOf(url))) return undefined
  return bad(
    `HOST is ${host}, and yet PUBLIC_URL sends payers to ${url}, which is their own machine`,
    'Set PUBLIC_URL to the address that payers reach, such as https://pay.example.com.',
  )
}

function adminPassword({ config: { host, adminPassword: password } }: World): Fault | undefined {
  if (isLoopback(host) || password !== undefined) return undefined
  return odd(
    `the console at /admin is on ${host} without ADMIN_PASSWORD: only a link signs in to it`,
    'Set ADMIN_PASSWORD where people work with it, or go on with lamplighter sign-in-link.',
  )
}

function trustProxy({ config }: World): Fault | undefined {
  if (config.trustProxy === false && config.publicUrl?.startsWith('https:')) {
    return odd(
      'PUBLIC_URL is https, so a proxy stands before the intake, and TRUST_PROXY does not name it: all that come through it count as one',
      'Set TRUST_PROXY to the addresses of your proxies, such as 10.0.0.0/8.',
    )
  }
  if (config.trustProxy !== true) return undefined
  return odd(
    'TRUST_PROXY is true: whoever reaches the intake may say that he comes from anywhere, and get round the limit of failed sign-ins',
    'Set TRUST_PROXY to the addresses of your proxies, such as 10.0.0.0/8.',
  )
}

function allowPrivate({ config }: World): Fault | undefined {
  if (!config.webhookAllowPrivate) return undefined
  return odd(
    'WEBHOOK_ALLOW_PRIVATE is true: merchants may have the service ask addresses of your own network',
    'Unset WEBHOOK_ALLOW_PRIVATE where merchants are not you.',
  )
}

const LIVE = `
  SELECT count(DISTINCT k.account_id)::integer AS count
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE a.mode = 'live' AND k.revoked_at IS NULL`

/** Each team has a live account; those with a key for it mean to use it. */
async function liveTeams({ db, gateways }: World): Promise<Finding> {
  const subject = 'live gateway'
  const [row] = await db.query(LIVE)
  const gateway = gateways.of({ mode: 'live' })
  if (gateway !== undefined) return { subject, state: 'good', says: gateway.name }
  if (row?.count === 0) return { subject, state: 'good', says: 'none, and no team has a live key' }
  return {
    subject,
    state: 'bad',
    says: `none, and ${counted(row?.count, 'team has', 'teams have')} a live key: each live charge is answered 503 no_live_gateway`,
    remedy: 'Set STRIPE_SECRET_KEY, or revoke the keys: lamplighter keys revoke.',
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost')
}
