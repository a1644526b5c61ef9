// The refusals of a void, a refund and a capture, each with a request that causes it.

import { takeIntoBatch } from './batch.ts'
import type { Operation, PaymentsApi } from './payments-api.ts'
import type { Provocations } from './refused-somewhere.ts'
import { JSON_TYPE } from './requests.ts'
import type { SampleMerchant } from './samples.ts'
import { DECLINED_CARD } from './sandbox-cards.ts'
import { call } from './test-service.ts'

/** A transaction, and the body about it. */
type Case = () => readonly [id: Promise<string>, body?: object, whose?: PaymentsApi]

type Cases = Readonly<Record<string, Case>>

/** `plain` is a merchant without any feature. By the route, and by the refusal. */
export function refusedFollowUps(
  seller: SampleMerchant,
  plain: PaymentsApi,
): Readonly<Record<string, Provocations>> {
  return Object.fromEntries(
    Object.entries(casesOf(seller, plain)).map(([operation, cases]) => [
      `POST /transaction/{id}/${operation}`,
      provocationsOf(seller, operation, cases),
    ]),
  )
}

function provocationsOf(seller: SampleMerchant, operation: string, cases: Cases): Provocations {
  const provocations = Object.entries(cases).map(([refusal, make]) => [
    refusal,
    async () => {
      const [id, body = {}, { merchant } = seller] = make()
      return {
        method: 'POST',
        url: `/transaction/${await id}/${operation}`,
        headers: { ...merchant.headers, ...JSON_TYPE },
        payload: JSON.stringify(body),
      }
    },
  ])
  return Object.fromEntries(provocations)
}

function casesOf(seller: SampleMerchant, plain: PaymentsApi): Readonly<Record<Operation, Cases>> {
  const { make } = seller
  const voided = (id: Promise<string>) => after(seller, id, 'void')
  const any: Cases = {
    '400 unknown_field': () => [make.charge(), { ammount: 5 }],
    '409 wrong_state': () => [declined(seller)],
    '409 payment_link_deleted': () => [throughDeletedLink(seller)],
  }
  const voids: Cases = {
    '503 no_live_gateway': () => [throughRemovedGateway(seller, make.charge())],
    '409 already_voided': () => [voided(make.charge())],
    '409 already_batched': () => [make.batched()],
    '409 partial_void_not_supported': () => [make.charge(), { total: 1 }],
  }
  const refunds: Cases = {
    '503 no_live_gateway': () => [throughRemovedGateway(seller, make.batched())],
    '409 already_voided': () => [voided(make.charge())],
    '409 not_batched_yet': () => [make.charge()],
    '409 not_refundable_yet': () => [batched(seller, {}, seller.service.world.clock.now())],
    '409 settlement_tokenization_required': () => [
      batched(plain, { channel: 'card_present' }),
      {},
      plain,
    ],
    '409 refund_exceeds_remaining': () => [
      after(seller, make.batched(), 'refund', { total: 6 }),
      { total: 6 },
    ],
    '409 refund_mismatch': () => [make.batched(), { previously_refunded: 1 }],
  }
  const captures: Cases = {
    '503 no_live_gateway': () => [throughRemovedGateway(seller, make.authorised())],
    '409 already_voided': () => [voided(make.authorised())],
    '409 capture_exceeds_remaining': () => [
      after(seller, make.authorised(), 'capture', { total: 6 }),
      { total: 6 },
    ],
  }
  return {
    void: { ...any, ...voids },
    refund: { ...any, ...refunds },
    'void-or-refund': { ...any, ...refunds, ...voids },
    capture: { ...any, ...captures },
  }
}

/** The same transaction after an action on it. */
async function after(
  api: PaymentsApi,
  id: Promise<string>,
  operation: Operation,
  body: object = {},
): Promise<string> {
  const { status, text } = await api.ask(await id, operation, body)
  if (status !== 200) throw new Error(text)
  return id
}

async function batched(api: PaymentsApi, body: object, at?: Date): Promise<string> {
  const id = await api.paid(body)
  await takeIntoBatch(api.service, [id], at)
  return id
}

async function declined(seller: SampleMerchant): Promise<string> {
  const card = await seller.service.card(seller.merchant, DECLINED_CARD)
  const answer = await seller.charge({ payment_method_id: card })
  return answer.body.id
}

/** It could be voided, refunded and captured, if its gateway were still set up. */
async function throughRemovedGateway(seller: SampleMerchant, id: Promise<string>): Promise<string> {
  const of = { where: { id: await id }, data: { gatewayName: 'stripe' } }
  await seller.service.world.db.prisma.transaction.updateMany(of)
  return id
}

async function throughDeletedLink(seller: SampleMerchant): Promise<string> {
  const link = await seller.make.link()
  const id = await seller.paid({ payment_link_id: link })
  await deleteLink(seller, link)
  return id
}

export async function deleteLink(
  { service, merchant }: SampleMerchant,
  link: string,
): Promise<void> {
  const url = `/query/payment-links/${link}`
  const { status, text } = await call(service.app, 'DELETE', url, merchant.headers)
  if (status !== 200) throw new Error(text)
}
