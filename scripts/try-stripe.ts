// `STRIPE_TEST_KEY=sk_test_… npm run try-stripe`: tests assumptions that only Stripe itself can
// confirm. With a key for tests no money moves. It prints each observation, and ends with 1 if one
// is not as the service relies on.

import { stripeClient } from '../src/outside/gateway/stripe/client.ts'
import { stripeGateway } from '../src/outside/gateway/stripe/gateway.ts'
import { walk } from './try-stripe/walk.ts'

/** Below what Stripe grants in test mode. */
const REQUESTS_PER_SECOND = 20

const { STRIPE_API_URL: apiUrl, STRIPE_TEST_KEY: secretKey } = process.env
if (/^(sk|rk)_live_/.test(secretKey ?? '')) {
  console.error(
    'STRIPE_TEST_KEY is a live key. Real money would move: use one that begins with sk_test_…',
  )
  process.exit(2)
}
if (secretKey === undefined || !/^(sk|rk)_test_/.test(secretKey)) {
  console.error('Set STRIPE_TEST_KEY to the secret key of a Stripe account in test mode, sk_test_…')
  process.exit(2)
}

const gateway = stripeGateway({
  askStripe: stripeClient({ secretKey, apiUrl, requestsPerSecond: REQUESTS_PER_SECOND }),
  publishableKey: '',
  webhookSecrets: [],
  checkAccount: async () => {},
  connectedAccountOf: async () => undefined,
  usedAccountsOf: async () => [],
  now: () => new Date(),
  alarm: (words, { err }) => console.log(`      ${words}: ${err.message}`),
})

console.log(`Stripe at ${apiUrl ?? 'https://api.stripe.com'}, in test mode: no money moves.\n`)
let wrong = 0
let startedMs = performance.now()
for await (const { isAsPromised, name, seen } of walk(gateway)) {
  const tookMs = Math.round(performance.now() - startedMs)
  console.log(`${isAsPromised ? '  ok' : '  NO'}  ${name} (${tookMs} ms)\n        ${seen}`)
  if (!isAsPromised) wrong += 1
  startedMs = performance.now()
}
console.log(wrong === 0 ? '\nAll is as promised.' : `\n${wrong} not as promised.`)
process.exitCode = wrong === 0 ? 0 : 1
