// A live account whose gateway is the stand-in for Stripe.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { BUILT, ROOT } from './root.ts'
import { environment, type Settings } from './service.ts'

export interface StripeAddress {
  readonly url: string
  readonly secretKey: string
  readonly publishableKey: string
}

export const STRIPE_CARD = {
  method: 'card',
  person_name: 'Ada Lovelace',
  payment_method_token: 'pm_card_visa',
}

/** Far above the rate of either: otherwise only Stripe's own limit would be measured. */
const NO_LIMIT = '10000'

const run = promisify(execFile)

export function stripeSettings(stripe: StripeAddress): Settings {
  return {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_API_URL: stripe.url,
    STRIPE_REQUESTS_PER_SECOND: NO_LIMIT,
  }
}

/** A key of the seeded team, from the service's own command. */
export async function newLiveKey(settings: Settings): Promise<string> {
  const words = ['keys', 'create', '--team', 'Demo', '--mode', 'live', '--name', 'bench', '--json']
  const options = { cwd: ROOT, env: environment(settings) }
  const { stdout } = await run(process.execPath, [BUILT, ...words], options)
  return JSON.parse(stdout).key
}
