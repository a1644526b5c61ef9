// Starts the stand-in for Stripe on a port, for trying live payments by hand, and prints the
// settings for the service. `--port 12111` is the default; `--webhooks URL` sends its events there;
// `--debits-take 20` ends a bank debit after so many seconds instead of days; `--pay-out-every 30`
// pays out the balance each 30 seconds.

import { openStripe } from '../test/stripe/stand-in/open.ts'
import { numberOption, programOptions } from '../test/support/program-options.ts'

/** Holds lapse and debits end even if no request comes. */
const LOOK_AT_CLOCK_EVERY_MS = 1000

const ARRIVED = { arrivesAfterMs: 0 } as const

const USAGE = `
Starts the stand-in for Stripe, and prints what to set for the service.

usage: npm run stripe-stand-in -- [--port 12111] [--webhooks URL]… [--debits-take SECONDS]
                                  [--pay-out-every SECONDS]

  --port N               listen there
  --webhooks URL         send events there; may be repeated
  --debits-take SECONDS  end a bank debit after that time, and not after days
  --pay-out-every SECONDS  pay out the balance so often; never by default
`

const values = programOptions(
  USAGE,
  {
    port: { type: 'string', default: '12111' },
    webhooks: { type: 'string', multiple: true, default: [] },
    'debits-take': { type: 'string' },
    'pay-out-every': { type: 'string' },
  },
  ({ port, webhooks, 'debits-take': take, 'pay-out-every': every }) => ({
    port: numberOption('port', port, 0),
    webhooks,
    debitsTakeS: take === undefined ? undefined : numberOption('debits-take', take, 0),
    payOutEveryS: every === undefined ? undefined : numberOption('pay-out-every', every, 1),
  }),
)

const stripe = await openStripe({
  port: values.port,
  // The same at each start, so that the service need not be restarted with other settings.
  secretKey: 'sk_test_standin000000000000000000000',
  webhookSecret: 'whsec_standin00000000000000000000000',
  webhooks: values.webhooks.map((url) => ({ url })),
  ...(values.debitsTakeS !== undefined && { bankDebitsTakeMs: values.debitsTakeS * 1000 }),
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

const timers = [setInterval(() => void stripe.advance(0), LOOK_AT_CLOCK_EVERY_MS)]
if (values.payOutEveryS !== undefined) {
  timers.push(setInterval(() => void stripe.payOut(ARRIVED), values.payOutEveryS * 1000))
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    for (const timer of timers) clearInterval(timer)
    await stripe[Symbol.asyncDispose]()
  })
}
