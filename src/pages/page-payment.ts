// The payment that was started on a page under a nonce. Each opened page gets a random nonce. The
// payment's idempotency key is made from it, so a request that is sent twice makes one payment, and
// a visitor who knows the nonce may see that payment's outcome.

import { randomBytes } from 'node:crypto'
import { Refusal } from '../core/errors.ts'
import { columnsOf } from '../db/columns.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { PaymentMethod, Transaction } from '../generated/client.ts'
import { reachedSum, takenBackSum } from '../payments/afterwards/taken-back.ts'
import type { World } from '../world.ts'
import type { Payee } from './payee.ts'

const NONCE_BYTES = 16

const NONCE = /^[0-9a-f]{32}$/

const SHOWN = [
  'id',
  'status',
  'message',
  'declineCode',
  'total',
  'currency',
  'method',
  'lastFour',
  'isVoided',
  'receiptTo',
  'receiptEmailAt',
  'createdAt',
  'paymentLinkId',
  'invoiceId',
] as const

type ShownColumns = Pick<Transaction, (typeof SHOWN)[number]>

export interface PagePayment extends ShownColumns, Pick<PaymentMethod, 'cardType'> {
  /** In cents, without refunds that failed. */
  readonly refunded: bigint
  /** By the payer's bank, in cents. */
  readonly takenBack: bigint
}

const transaction = columnsOf<ShownColumns>('Transaction', 'p', ['total'], SHOWN)

export type PaymentState = 'processing' | 'approved' | 'canceled' | 'returned' | 'declined'

/** The page's link or invoice; a nonce of another page is unknown here. */
type Subject = Pick<Transaction, 'paymentLinkId'> | Pick<Transaction, 'invoiceId'>

export const readPagePayment = gatheredStatement({
  name: 'read-page-payment',
  columns: { accountId: 'uuid', key: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${transaction.list}, m.card_type,
      ${reachedSum('p')} AS refunded, ${takenBackSum('p.account_id', 'p.id')} AS taken_back
    FROM input i
    JOIN idempotency k ON k.account_id = i.account_id AND k.key = i.key
    JOIN transaction p ON p.account_id = k.account_id AND p.id = k.resource_id::uuid
    CROSS JOIN LATERAL (
      SELECT card_type FROM payment_method
      WHERE account_id = p.account_id AND id = p.payment_method_id OFFSET 0
    ) m`,
  read: (row): PagePayment => ({
    ...transaction.read(row),
    cardType: row.card_type,
    refunded: BigInt(row.refunded),
    takenBack: BigInt(row.taken_back),
  }),
})

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('hex')
}

export function isNonce(text: string): boolean {
  return NONCE.test(text)
}

export function keyOf(nonce: string): string {
  return `page-${nonce}`
}

export async function findPagePayment(
  world: World,
  { accountId }: Payee,
  subject: Subject,
  nonce: string,
): Promise<PagePayment | undefined> {
  if (!isNonce(nonce)) return undefined
  const found = await world.db.ask(readPagePayment, { accountId, key: keyOf(nonce) })
  return found !== undefined && isOf(found, subject) ? found : undefined
}

/** The same before a payment starts: a nonce that another page has used is refused. */
export async function beginningOf(
  world: World,
  { accountId }: Payee,
  subject: Subject,
  nonce: string,
): Promise<PagePayment | undefined> {
  const found = await world.db.ask(readPagePayment, { accountId, key: keyOf(nonce) })
  if (found !== undefined && !isOf(found, subject)) throw new Refusal('idempotency_conflict')
  return found
}

function isOf(payment: PagePayment, subject: Subject): boolean {
  return 'paymentLinkId' in subject
    ? payment.paymentLinkId === subject.paymentLinkId
    : payment.invoiceId === subject.invoiceId
}

export function paymentStateOf({
  status,
  isVoided,
  takenBack,
}: Pick<PagePayment, 'status' | 'isVoided' | 'takenBack'>): PaymentState {
  switch (status) {
    case 'PENDING':
      return 'processing'
    case 'SUCCESS':
      if (isVoided) return 'canceled'
      return takenBack > 0n ? 'returned' : 'approved'
    case 'FAILED':
      return 'declined'
  }
}
