// After a downtime, the runs that a schedule has missed begin their payments together, and so do
// the retries of these. If the card is declined, it would be declined for each of them within
// seconds: card networks fine that, and banks block the card. So one of them is made first. If it
// is declined, the others fail without being ordered, and follow the plan of retries like it; if
// it succeeds, they are made at once, until one is declined.

import type { Decline } from '../../core/decline.ts'
import { gatheredStatement } from '../../db/gathered.ts'
import type { World } from '../../world.ts'
import type { Taken } from '../take/take-payment.ts'

/** Less than the time between two runs of any rule, and more than between two chunks of a round. */
const TOGETHER = `interval '5 minutes'`

/** The most important of the other payments. Undefined if none of them matters. */
interface OtherPayment {
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED'
  readonly decline: Decline
}

/**
 * Those of the same try, with the same card. A decline matters most, unless the payment may be
 * tried again at once; then a success; then an earlier payment under way.
 */
export const otherPaymentOfCard = gatheredStatement<
  {
    readonly accountId: string
    readonly id: string
    readonly scheduleId: string
    readonly paymentMethodId: string
    readonly invoiceTry: number
    readonly madeAt: Date
  },
  OtherPayment
>({
  name: 'other-payment-of-card',
  columns: {
    accountId: 'uuid',
    id: 'uuid',
    scheduleId: 'uuid',
    paymentMethodId: 'uuid',
    invoiceTry: 'integer',
    madeAt: 'timestamptz',
  },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, other.*
    FROM input i
    CROSS JOIN LATERAL (
      SELECT t.status, t.decline_code, t.retry_advice, t.gateway_code
      FROM invoice v
      CROSS JOIN LATERAL (
        SELECT * FROM transaction
        WHERE account_id = v.account_id AND invoice_id = v.id AND invoice_try = i.invoice_try
        OFFSET 0
      ) t
      WHERE v.account_id = i.account_id AND v.schedule_id = i.schedule_id AND v.deleted_at IS NULL
        AND v.created_at BETWEEN i.made_at - ${TOGETHER} AND i.made_at + ${TOGETHER}
        AND t.payment_method_id = i.payment_method_id AND t.id <> i.id
        AND CASE t.status
          WHEN 'PENDING' THEN t.parked_at IS NULL AND t.id < i.id
          WHEN 'FAILED' THEN t.decline_code IS NOT NULL AND t.retry_advice IS DISTINCT FROM 'now'
          ELSE true
        END
      ORDER BY CASE t.status WHEN 'FAILED' THEN 1 WHEN 'SUCCESS' THEN 2 ELSE 3 END, t.id
      LIMIT 1
    ) other`,
  read: (row) => ({
    status: row.status,
    decline: { code: row.decline_code, retry: row.retry_advice, gatewayCode: row.gateway_code },
  }),
})

type CardFinding =
  | { readonly kind: 'turned_away'; readonly message: string }
  | { readonly kind: 'given_up'; readonly message: string; readonly decline: Decline }

/** Why an automatic payment must not be ordered now. Undefined if it may. */
export async function findingOnSameCard(
  world: World,
  { accountId, id, scheduleId, paymentMethodId, invoiceTry, invoice, method }: Taken,
): Promise<CardFinding | undefined> {
  if (method !== 'card' || scheduleId === null || invoiceTry === null || invoice === undefined)
    return undefined
  const { createdAt: madeAt } = invoice
  const sought = { accountId, id, scheduleId, paymentMethodId, invoiceTry, madeAt }
  const other = await world.db.ask(otherPaymentOfCard, sought)
  switch (other?.status) {
    case 'PENDING':
      return { kind: 'turned_away', message: 'Another run of the schedule is charged first' }
    case 'FAILED':
      return {
        kind: 'given_up',
        message: 'Not tried: the card was just declined for another run of the schedule',
        decline: other.decline,
      }
    case 'SUCCESS':
    case undefined:
      return undefined
  }
}
