// `npm run try-stripe` shows the promises that only Stripe itself can show. Here it runs against
// the stand-in, so that it works once a key is there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openStripe } from '../stripe/stand-in/open.ts'

const LONG = { timeout: 60_000 }

async function tryStripe(env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/try-stripe.ts'], {
    env: { PATH, ...env },
  })
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const [status] = await once(child, 'close')
  return { status, out: await out, err: await err }
}

it('sees every promise kept, and prints no key', LONG, async () => {
  await using stripe = await openStripe()
  const ran = await tryStripe({ STRIPE_API_URL: stripe.url, STRIPE_TEST_KEY: stripe.secretKey })
  expect(ran.out).not.toContain(stripe.secretKey)
  expect(ran.out).not.toContain('  NO  ')
  expect(ran.out).toContain('All is as promised.')
  expect(ran.out.split('\n').filter((line) => line.startsWith('  ok  ')).length).toBeGreaterThan(15)
  expect(ran.status).toBe(0)
})

it.each([
  ['no key', {}],
  ['a live key', { STRIPE_TEST_KEY: 'sk_live_0123456789' }],
])('refuses %s with a reason', LONG, async (_what, env) => {
  const { err, out, status } = await tryStripe(env)
  expect({ out, status }).toEqual({ out: '', status: 2 })
  expect(err).toContain('sk_test_…')
})
