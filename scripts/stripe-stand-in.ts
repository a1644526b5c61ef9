// Starts the stand-in for Stripe on a port, for trying live payments by hand, and prints what to
// set for the service. `--port 12111` is the default; `--webhooks URL` sends its events there;
// `--debits-take 20` ends a bank debit after so many seconds, and not after days.

import { parseArgs } from 'node:util'
import { openStripe } from '../test/stripe/stand-in/open.ts'

/** Holds lapse and debits end even when no request comes. */
const LOOK_AT_CLOCK_EVERY_MS = 1000

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '12111' },
    webhooks: { type: 'string', multiple: true, default: [] },
    'debits-take': { type: 'string' },
  },
})

const stripe = await openStripe({
  port: Number(values.port),
  // The same at each start, so that the service need not be restarted with other settings.
  secretKey: 'sk_test_standin000000000000000000000',
  webhookSecret: 'whsec_standin00000000000000000000000',
  webhooks: values.webhooks.map((url) => ({ url })),
  ...(values['debits-take'] !== undefined && {
    bankDebitsTakeMs: Number(values['debits-take']) * 1000,
  }),
})

console.log(`STRIPE_API_URL=${stripe.url}
STRIPE_SECRET_KEY=${stripe.secretKey}
STRIPE_PUBLISHABLE_KEY=${stripe.publishableKey}
STRIPE_WEBHOOK_SECRET=${stripe.webhookSecret}

Try it:
curl ${stripe.url}/v1/payment_intents -u ${stripe.secretKey}: -d amount=500 -d currency=usd \\
  -d payment_method=pm_card_visa -d confirm=true \\
  -d 'automatic_payment_methods[enabled]=true' \\
  -d 'automatic_payment_methods[allow_redirects]=never'`)

const timer = setInterval(() => void stripe.advance(0), LOOK_AT_CLOCK_EVERY_MS)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    clearInterval(timer)
    await stripe[Symbol.asyncDispose]()
  })
}
