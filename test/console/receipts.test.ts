// An operator sends the receipt of a payment again, from the page of the transaction.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SignedIn, see, seeAfter, sendForm, signIn } from '../support/operator.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import { setTeam } from '../support/set-team.ts'
import type { TestService } from '../support/test-service.ts'

let api: PaymentsApi
let service: TestService
let operator: SignedIn

beforeAll(async () => {
  api = await openPaymentsApi({ queues: ['charge', 'email'] })
  service = api.service
  operator = await signIn(service.world)
  const { accountId } = api.merchant
  const data = { email: 'ada@example.com' }
  await service.world.db.prisma.customer.updateMany({ where: { accountId }, data })
}, 60_000)
afterAll(() => service.close())

const pathOf = (id: string) => `/admin/transactions/${api.merchant.accountId}/${id}`
const pageOf = async (id: string) => (await see(service.app, pathOf(id), operator)).body

const send = (id: string, channel: string, key = service.world.newId()) =>
  sendForm(service.app, `${pathOf(id)}/receipt`, operator, { key, channel })

const saidAfter = async (answer: Awaited<ReturnType<typeof send>>) =>
  (await seeAfter(service.app, answer, operator)).first

async function statesOf(id: string): Promise<readonly string[]> {
  const { accountId } = api.merchant
  const where = { accountId, subjectId: id, channel: 'email' } as const
  const rows = await service.world.db.prisma.delivery.findMany({ where })
  return rows.map(({ status }) => status)
}

it('a receipt is sent at once, once for each form, and sent again', async () => {
  const id = await api.paid()
  expect(await pageOf(id)).toContain('Send receipt by e-mail')
  const key = service.world.newId()
  for (let n = 0; n < 2; n += 1) {
    const answer = await send(id, 'email', key)
    expect(answer.headers.location).toBe(pathOf(id))
    expect(await saidAfter(answer)).toContain('The receipt is queued for ada@example.com')
  }
  await expect.poll(() => statesOf(id)).toEqual(['sent'])
  const page = await pageOf(id)
  expect(page).toContain('Send receipt again by e-mail')
  expect(page).toContain('Receipt sent')
  await send(id, 'email')
  await expect.poll(() => statesOf(id)).toEqual(['sent', 'sent'])
  const actions = await service.world.db.query(
    'SELECT deed AS action, detail FROM deed WHERE subject = $1',
    [id],
  )
  expect(actions).toHaveLength(2)
  expect(actions[0]).toMatchObject({
    action: 'receipt sent',
    detail: { account: api.merchant.accountId, channel: 'email', to: 'ada@example.com' },
  })
})

it('the page says why none was sent', async () => {
  const id = await api.paid()
  expect(await pageOf(id)).not.toContain('by SMS')
  expect(await saidAfter(await send(id, 'sms'))).toContain(
    'The receipt was not sent: text messages are not enabled for the team.',
  )
  await setTeam(service.world, api.merchant.teamId, ['status=inactive'])
  const answer = await send(id, 'email')
  await setTeam(service.world, api.merchant.teamId, ['status=active'])
  expect(await saidAfter(answer)).toContain('The receipt was not sent: the team is not active.')
  expect((await send(id, 'dove')).statusCode).toBe(400)
  expect(await statesOf(id)).toEqual([])
})

it('a payment that failed has none', async () => {
  const failed = await service.card(api.merchant, DECLINED_CARD)
  const charge = { total: 9, payment_method_id: failed }
  const { id } = (await service.charge(api.merchant, charge)).body
  expect(await pageOf(id)).not.toContain('Send receipt')
  expect(await saidAfter(await send(id, 'email'))).toContain('The receipt was not sent:')
})
