// Starts the stand-in for Checkout.com on a port, for trying live payments by hand, and prints the
// settings for the service. `--port 12112` is the default; `--webhooks URL` sends its events there.

import { openCheckout } from '../test/checkout/stand-in/open.ts'
import { numberOption, programOptions } from '../test/support/program-options.ts'

/** Actions are decided, and their events sent, even if no request comes. */
const LOOK_AT_CLOCK_EVERY_MS = 1000

const USAGE = `
Starts the stand-in for Checkout.com, and prints what to set for the service.

usage: npm run checkout-stand-in -- [--port 12112] [--webhooks URL]…

  --port N        listen there
  --webhooks URL  send events there; may be repeated
`

const values = programOptions(
  USAGE,
  {
    port: { type: 'string', default: '12112' },
    webhooks: { type: 'string', multiple: true, default: [] },
  },
  ({ port, webhooks }) => ({ port: numberOption('port', port, 0), webhooks }),
)

const checkout = await openCheckout({
  port: values.port,
  // The same at each start, so that the service need not be restarted with other settings.
  secretKey: 'sk_sbox_standinstandinstandinstandi',
  webhookSecret: 'standin-signature-key',
})
for (const url of values.webhooks) checkout.events.addEndpoint(url)

console.log(`CHECKOUT_API_URL=${checkout.url}
CHECKOUT_SECRET_KEY=${checkout.secretKey}
CHECKOUT_PUBLIC_KEY=${checkout.publicKey}
CHECKOUT_PROCESSING_CHANNEL=${checkout.processingChannel}
CHECKOUT_WEBHOOK_SECRET=${checkout.webhookSecret}

A token of a card, good for one payment method:
curl ${checkout.url}/tokens -H 'Authorization: Bearer ${checkout.publicKey}' \\
  -d '{"type":"card","number":"4242424242424242","expiry_month":12,"expiry_year":2034}'`)

const timer = setInterval(() => void checkout.advance(0), LOOK_AT_CLOCK_EVERY_MS)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    clearInterval(timer)
    await checkout[Symbol.asyncDispose]()
  })
}
