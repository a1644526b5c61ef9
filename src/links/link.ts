// A payment link: its fields, its columns, the list of them, and the writes that are events.

import { type Cents, toDecimal } from '../core/money.ts'
import { LONGEST_WEB_ADDRESS } from '../core/text.ts'
import { columnsOf } from '../db/columns.ts'
import { declareList } from '../db/declared-list.ts'
import { allKeywords, containing } from '../db/terms.ts'
import { resourceOf } from '../events/resource.ts'
import type { PaymentLink } from '../generated/client.ts'
import { column } from '../resource/column-kinds.ts'
import { declareFields } from '../resource/declare-fields.ts'
import { Type } from '../resource/json-schema.ts'
import { answerField } from '../resource/schemas.ts'
import type { World } from '../world.ts'

const linkMeta = Type.Unsafe<Record<string, unknown>>({
  'x-kind': 'meta',
  type: 'object',
  additionalProperties: true,
  description:
    'Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text.',
  properties: {
    memo: { type: ['string', 'null'], description: 'Shown to the payer.' },
    successRedirect: {
      'x-kind': 'web_address',
      type: ['string', 'null'],
      maxLength: LONGEST_WEB_ADDRESS,
      description: 'The page for the payer after a payment: an http or https address.',
    },
    isTotalEditable: {
      'x-kind': 'flag',
      type: ['boolean', 'integer', 'string', 'null'],
      enum: [true, false, 0, 1, '0', '1', null],
      description: 'The payer may change the amount.',
    },
  },
})

const answeredAmount = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'Major units; null if the payer enters the amount.',
})

/** Reads that setting of `link_meta`: `true` or `1`, or the text of one. */
export function isEditableTotal(setting: unknown): boolean {
  return ['true', '1'].includes(String(setting))
}

export const PAYMENT_LINK = declareFields<PaymentLink, World>()({
  id: { shown: Type.String({ pattern: '^[0-9a-f]{32}$' }) },
  common_name: column.requiredText('The merchant’s name for the link.'),
  amount: column.openMoney('The amount to pay. Without it the payer enters one.', answeredAmount),
  active: column.flag('Whether payers can pay through it; true when absent at creation.', true),
  link_meta: column.meta(linkMeta),
  meta: column.meta(),
  url: {
    shown: Type.String({ format: 'uri', description: 'The page that a payer opens.' }),
    from: ({ id }, world) => pageAddress(world, id),
  },
  qr_code_url: {
    shown: Type.String({
      format: 'uri',
      description: 'An SVG image with a QR code of the page.',
    }),
    from: ({ id }, world) => `${pageAddress(world, id)}/qr.svg`,
  },
  total_sales: {
    shown: {
      ...answerField.amount,
      description:
        'The sum of the successful payments in major units. Later voids and refunds are not subtracted, and a change writes no event.',
    },
    show: toDecimal,
  },
  total_transactions: {
    shown: Type.Integer({
      description: 'The number of successful payments, voided and refunded ones included.',
    }),
  },
  created_at: { shown: answerField.time },
  updated_at: { shown: answerField.time },
})

/** The fields of a creation. An absent one gets its initial value. */
export type NewLink = ReturnType<typeof PAYMENT_LINK.readCreation>

/** The fields that a request changes. */
export type LinkChange = ReturnType<typeof PAYMENT_LINK.readChange>

/** A payment link as the API shows it, in answers and in the snapshots of events. */
export const linkView = (world: World, link: PaymentLink) => PAYMENT_LINK.view(link, world)

/** The columns for statements that call the table `l`. */
export const linkColumns = columnsOf<PaymentLink>('PaymentLink', 'l', ['amount', 'totalSales'])

/** The texts that keywords search, in one index; a line break separates the two. */
const SEARCHED = "l.common_name || E'\\n' || coalesce(l.link_meta->>'memo', '')"

/** The indexes payment_link_by_…, …_named and …_search have exactly these expressions. */
export const LINKS = declareList({
  table: 'payment_link',
  alias: 'l',
  always: 'l.deleted_at IS NULL',
  filters: {
    active: (isActive: boolean) => (isActive ? 'l.active' : 'NOT l.active'),
    // A link without an amount lets the payer enter one.
    amount: (amount: Cents | null, put) =>
      amount === null ? 'l.amount IS NULL' : `l.amount = ${put(amount)}`,
    common_name: 'lower(l.common_name) = lower($value::text)',
    keywords: (keywords: readonly string[], put) =>
      allKeywords(keywords, (keyword) => `(${SEARCHED}) ILIKE ${put(containing(keyword))}`),
  },
  sorts: {
    common_name: 'l.common_name',
    amount: { nullable: 'l.amount' },
    created_at: 'l.created_at',
    total_sales: 'l.total_sales',
    total_transactions: 'l.total_transactions',
  },
  columns: linkColumns.list,
  view: (row, world: World) => linkView(world, linkColumns.read(row)),
})

export const links = resourceOf(linkColumns, 'payment_link', (link, world) => linkView(world, link))

/** The page that a payer opens. */
export function pageAddress(world: World, id: string): string {
  return `${world.publicAddress()}/pay/${id}`
}
