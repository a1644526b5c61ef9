// The details that messages show from a merchant's `meta`. The merchant decides its shape, so
// anything of another shape is left out and never causes an error.

import { type Fact, fact, type Item } from './letter.ts'
import { type Figure, figureOf, figureText, productText, quantityText } from './local-formats.ts'
import { isolatedLine } from './shown.ts'
import type { LetterTexts } from './texts/letter-en.ts'

export interface Details {
  readonly items: readonly Item[]
  /** The lines between the items and the total; the total is not among them. */
  readonly sums: readonly Fact[]
  readonly facts: readonly Fact[]
}

type Shape = Readonly<Record<string, unknown>>

const ONE = figureOf(1)

/** The format of figures. */
interface Style {
  readonly currency: string
  readonly locale: string
}

export function detailsOf(
  meta: unknown,
  currency: string,
  locale: string,
  { details: labels }: LetterTexts,
): Details {
  const style = { currency, locale }
  const shape = shapeOf(meta)
  const sum = (label: string, value: unknown) => {
    const figure = figureOf(value)
    return fact(label, figure === undefined ? undefined : figureText(figure, currency, locale))
  }
  const lines = Array.isArray(shape.lineItems) ? shape.lineItems : []
  return {
    items: lines.flatMap((line) => itemOf(shapeOf(line), style)),
    sums: [
      ...sum(labels.subtotal, shape.subtotal),
      ...sum(labels.tax, shape.tax),
      ...sum(labels.shipping, shape.shippingAmount),
    ],
    facts: [
      ...fact(labels.poNumber, textOf(shape.poNumber)),
      ...fact(labels.reference, textOf(shape.reference)),
      ...fact(labels.memo, textOf(shape.memo)),
    ],
  }
}

function shapeOf(value: unknown): Shape {
  const isShape = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isShape ? (value as Shape) : {}
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? isolatedLine(value) || undefined : undefined
}

/** A line without a name is left out. */
function itemOf(line: Shape, style: Style): readonly Item[] {
  const item = textOf(line.item)
  const details = textOf(line.details)
  const name = item ?? details
  if (name === undefined) return []
  const price = figureOf(line.price)
  const quantity = figureOf(line.quantity)
  const parts = [countText(quantity, price, style), item === undefined ? undefined : details]
  return [
    {
      name,
      details: parts.filter((part) => part !== undefined).join(' · ') || undefined,
      amount: amountOf(quantity, price, style),
    },
  ]
}

/** `2 × $12.00`. Empty for one item, whose amount says it. */
function countText(
  quantity: Figure | undefined,
  price: Figure | undefined,
  { currency, locale }: Style,
): string | undefined {
  if (quantity === undefined) return undefined
  const count = quantityText(quantity, locale)
  if (quantity === ONE) return undefined
  return price === undefined ? `${count} ×` : `${count} × ${figureText(price, currency, locale)}`
}

function amountOf(
  quantity: Figure | undefined,
  price: Figure | undefined,
  { currency, locale }: Style,
): string | undefined {
  if (price === undefined) return undefined
  if (quantity === undefined) return figureText(price, currency, locale)
  return productText(quantity, price, currency, locale)
}
