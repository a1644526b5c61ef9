// A long action of the console ends when its operator's right to it ends.

import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { insertDeliveries } from '../support/delivery-rows.ts'
import { type SignedIn, see, sendForm } from '../support/operator.ts'
import { newPerson, type Person, sessionOf } from '../support/persons.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const CHUNK = 500

/** More than two chunks. */
const PARKED = 1_200

const ENDINGS = {
  'is demoted': "UPDATE operator SET role = 'view' WHERE id = $1",
  'is removed': 'UPDATE operator SET disabled_at = created_at WHERE id = $1',
  'signs out': 'DELETE FROM operator_session WHERE operator_id = $1',
}

let service: TestService
let merchant: Merchant
let person: Person
let operator: SignedIn

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
})
beforeEach(async () => {
  person = await newPerson(service.world)
  operator = await sessionOf(service.world, person)
})
afterAll(() => service.close())

const query = (text: string, ...values: readonly unknown[]) => service.world.db.query(text, values)

/** Runs it before the second commit of that kind. */
function beforeSecondCommit(of: RegExp, change: () => Promise<unknown>) {
  const { db } = service.world
  const { commit } = db
  let seen = 0
  const spy = vi.spyOn(db, 'commit').mockImplementation(async (about, work) => {
    if (of.test(about)) seen += 1
    if (seen === 2) await change()
    return commit(about, work)
  })
  return { [Symbol.dispose]: () => spy.mockRestore() }
}

it.each(Object.entries(ENDINGS))(
  'deliveries are dismissed until its operator %s',
  async (_, ending) => {
    await query('DELETE FROM delivery')
    await insertDeliveries(service, merchant.accountId, PARKED, { status: 'parked' })
    using _second = beforeSecondCommit(/^failed deliveries/, () => query(ending, person.id))
    const fields = { channel: 'email', reason: 'out_of_tries', until: new Date().toISOString() }
    const { statusCode, body } = await sendForm(
      service.app,
      '/admin/deliveries/dismiss',
      operator,
      fields,
    )
    expect(statusCode).toBe(403)
    expect(body).toContain('The rest was not done')
    const [closed] = await query(
      'SELECT count(*)::integer AS count FROM delivery WHERE closed_at IS NOT NULL',
    )
    expect(closed?.count).toBe(CHUNK)
    const entries = await query(
      "SELECT detail FROM deed WHERE operator = $1 AND deed = 'deliveries dismissed'",
      person.name,
    )
    expect(entries).toMatchObject([{ detail: { count: CHUNK } }])
  },
)

it('a file is cut off where its operator is removed', async () => {
  await query('DELETE FROM delivery')
  await insertDeliveries(service, merchant.accountId, PARKED, { status: 'parked' })
  const { exports } = service.world
  const turn = exports.turn.bind(exports)
  let turns = 0
  const spy = vi.spyOn(exports, 'turn').mockImplementation(async () => {
    turns += 1
    if (turns === 3) await query(ENDINGS['is removed'], person.id)
    return turn()
  })
  await expect(see(service.app, '/admin/deliveries.csv', operator)).rejects.toThrow(/destroyed/)
  expect(turns).toBe(3)
  spy.mockRestore()
})
