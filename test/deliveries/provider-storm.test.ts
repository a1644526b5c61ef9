// A provider that fails for all messages, and one that fails for one text: through the workers, at
// the provider's real pace.

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { deliveryStatesOf } from '../support/deliveries.ts'
import { openPaymentsApi } from '../support/payments-api.ts'
import { setTeam } from '../support/set-team.ts'
import { TWILIO } from '../support/settings.ts'
import { soon } from '../support/soon.ts'
import { openTwilioServer, TAKES } from '../support/twilio-server.ts'

const POISON = '+12025550166'
const NUMBERS = [POISON, '+12025550101', '+12025550102', '+12025550103']

const FAILS = { status: 500, body: { code: 20500, message: 'Internal Server Error', status: 500 } }

const INSERT = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT $1, id, 'sms', $1, 'transaction', $5, phone, 'test', $4, $4, 'test', $4, $4
  FROM unnest($2::uuid[], $3::text[]) AS new(id, phone)`

it('a storm of failures costs no message a try, and one that always fails stops no other', {
  timeout: 60_000,
}, async () => {
  await using server = await openTwilioServer()
  const api = await openPaymentsApi({
    queues: ['charge', 'sms'],
    twilioUrl: server.url,
    // Twilio's client takes seconds to load on a busy machine.
    timings: { messageTimeoutMs: 20_000 },
    settings: { ...TWILIO, SMS_PER_SECOND: '100' },
  })
  await using service = api.service
  const { world } = service
  await setTeam(world, api.merchant.teamId, ['sms_enabled=true'])
  const paid = await api.paid()
  server.behave((asked) => {
    const isStorm = server.asked.length <= NUMBERS.length
    return isStorm || asked.form.To === POISON ? FAILS : TAKES(asked)
  })
  const ids = NUMBERS.map(() => randomUUID())
  await world.db.query(INSERT, [api.merchant.accountId, ids, NUMBERS, world.clock.now(), paid])
  world.queues.startRound('sms')

  const [poison, ...others] = await soon(async () => {
    const states = await deliveryStatesOf(world.db.query, ids)
    expect(states.map(({ status }) => status)).toEqual(['pending', 'sent', 'sent', 'sent'])
    expect(states[0]?.tries).toBeGreaterThan(0)
    return states
  })
  const answersOf = (one: typeof poison) => one?.history.map(({ answer }) => answer)
  for (const one of others) {
    expect([one.tries, answersOf(one)?.at(-1)]).toEqual([1, 'taken'])
    expect(answersOf(one)?.slice(0, -1)).not.toContain('failed')
  }
  expect(others.flatMap(answersOf)).toContain('away')
  expect(answersOf(poison)?.slice(0, 2)).toEqual(['away', expect.stringMatching(/^(away|failed)$/)])
  expect(answersOf(poison)).toContain('failed')
})
