// The refusals of a receipt, each with a request that causes it.

import type { PaymentsApi } from './payments-api.ts'
import { MOST_SENT } from './refused-invoices.ts'
import type { Provocations } from './refused-somewhere.ts'
import { JSON_TYPE } from './requests.ts'
import type { SampleMerchant } from './samples.ts'
import { DECLINED_CARD } from './sandbox-cards.ts'
import { call } from './test-service.ts'

const METHODS = ['PUT', 'POST'] as const

const CHANNELS = ['email', 'sms'] as const

/** `plain` is a merchant without any feature. By the route, and by the refusal. */
export function refusedReceipts(
  seller: SampleMerchant,
  plain: PaymentsApi,
): Readonly<Record<string, Provocations>> {
  const routes = METHODS.flatMap((method) => CHANNELS.map((channel) => [method, channel] as const))
  return Object.fromEntries(
    routes.map(([method, channel]) => {
      const asked = (id: string, { merchant }: PaymentsApi = seller) => ({
        method,
        url: `/transaction/${id}/receipt/${channel}`,
        headers: { ...merchant.headers, ...JSON_TYPE },
        payload: '{}',
      })
      const any: Provocations = {
        // A payer in cash has no address.
        '400 no_recipient': async () => asked(await seller.make.manual()),
        '409 wrong_state': async () => asked(await declined(seller)),
        '409 sent_too_often': async () => {
          const again = asked(await seller.paid())
          for (let i = 0; i < MOST_SENT; i += 1) {
            await call(seller.service.app, method, again.url, seller.merchant.headers)
          }
          return again
        },
      }
      const sms: Provocations = {
        '403 sms_not_enabled': async () => asked(await plain.paid(), plain),
      }
      const all = channel === 'sms' ? { ...any, ...sms } : any
      return [`${method} /transaction/{id}/receipt/${channel}`, all]
    }),
  )
}

async function declined(seller: SampleMerchant): Promise<string> {
  const card = await seller.service.card(seller.merchant, DECLINED_CARD)
  return (await seller.charge({ payment_method_id: card })).body.id
}
