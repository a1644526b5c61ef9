// A payment method: its fields, its columns, the list of them, and the writes that are events. The
// number and the gateway's token are never shown.

import type { RequestContext } from '../accounts/acting-account.ts'
import { expiryAsMmyy } from '../core/expiry.ts'
import { METHODS } from '../core/transaction.ts'
import { columnsOf } from '../db/columns.ts'
import type { Query } from '../db/database.ts'
import { declareList } from '../db/declared-list.ts'
import { resourceOf } from '../events/resource.ts'
import type { PaymentMethod } from '../generated/client.ts'
import { ADDRESS, column } from '../resource/column-kinds.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'
import type { World } from '../world.ts'

const lastFourOf = (isOf: (method: PaymentMethod['method']) => boolean) => ({
  shown: answerField.textOrNull,
  from: ({ method, lastFour }: PaymentMethod) => (isOf(method) ? lastFour : null),
})

export const PAYMENT_METHOD = declareFields<PaymentMethod>()({
  id: { shown: answerField.id },
  customer_id: {
    shown: { ...answerField.idOrNull, description: 'null for cash and check, which are built in.' },
  },
  method: { shown: Type.Enum(METHODS) },
  nickname: column.text("The payer's name for it."),
  person_name: column.requiredText('The name on the card or of the account.'),
  card_type: { shown: answerField.textOrNull },
  card_last_four: lastFourOf((method) => method !== 'bank'),
  card_exp: {
    ...column.textual(
      Type.String({
        description: 'When the card expires: MMYY, MM/YY, MMYYYY or MM/YYYY.',
        minLength: 1,
        maxLength: 'MM/YYYY'.length,
        examples: ['1230'],
      }),
    ),
    read: expiryAsMmyy,
    shown: { ...answerField.textOrNull, description: 'MMYY.' },
  },
  bank_name: column.text('Name of the bank.'),
  bank_type: column.textual(Type.Enum(['checking', 'savings'])),
  bank_holder_type: column.textual(Type.Enum(['personal', 'business'])),
  bank_last_four: lastFourOf((method) => method === 'bank'),
  ...ADDRESS,
  is_default: { shown: answerField.flag },
  meta: column.meta(),
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
})

/** The fields of requests that are stored as they were sent. */
export type PaymentMethodInput = Parameters<typeof PAYMENT_METHOD.newColumns>[0]

export const paymentMethodView = (method: PaymentMethod) => PAYMENT_METHOD.view(method)

export const methodColumns = columnsOf<PaymentMethod>('PaymentMethod', 'm')

/** Without the account's built-in cash and check, which have no customer. */
export const PAYMENT_METHODS = declareList({
  table: 'payment_method',
  alias: 'm',
  always: 'm.deleted_at IS NULL AND m.customer_id IS NOT NULL',
  filters: { customer_id: 'm.customer_id = $value', method: 'm.method = $value' },
  sorts: { created_at: 'm.created_at', updated_at: 'm.updated_at' },
  columns: methodColumns.list,
  view: (row) => paymentMethodView(methodColumns.read(row)),
})

export const paymentMethods = resourceOf(methodColumns, 'payment_method', paymentMethodView)

/** The fault for a field that belongs to the gateway's token. */
export const CANNOT_CHANGE = 'cannot be changed: make another payment method'

const HOLD_DEFAULT = `
  SELECT ${methodColumns.list} FROM payment_method m
  WHERE account_id = $1 AND customer_id = $2 AND is_default AND deleted_at IS NULL
  FOR NO KEY UPDATE`

/** The default payment method of a customer whose row this commit has locked. */
export async function holdDefault(
  query: Query,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<PaymentMethod | undefined> {
  const [row] = await query(HOLD_DEFAULT, [accountId, customerId])
  return row && methodColumns.read(row)
}

/** A customer has one default, so the previous one ends first. */
export async function endDefault(
  world: World,
  query: Query,
  context: RequestContext,
  customerId: string,
  now: Date,
): Promise<void> {
  const last = await holdDefault(query, { accountId: context.accountId, customerId })
  if (last === undefined) return
  const ceased = { ...last, isDefault: false, version: last.version + 1, updatedAt: now }
  await paymentMethods.update(world, query, context, ceased)
}
