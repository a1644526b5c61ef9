// Refuses numbers of cards and bank accounts outside the fields for them, and in live mode there
// too. Stored parts of a request reach events, webhooks and receipts. This is checked before any
// other fault.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Mode } from '../accounts/key.ts'
import { holdsCardNumber, holdsGroupedCardNumber } from '../core/card-number.ts'
import { Refusal, wrongField } from '../core/errors.ts'
import { toE164 } from '../core/phone-number.ts'

const NUMBERS = ['card_number', 'card_cvv', 'bank_account']

const FREE_TEXT = new RegExp(
  `^(?:${[
    ...['firstname', 'lastname', 'person_name', 'company', 'nickname', 'bank_name', 'common_name'],
    ...['address_\\w+', 'notes', 'memo', 'message', 'source', 'channel', 'email', 'cc_?emails'],
    ...['item', 'details'],
  ].join('|')})$`,
  'i',
)

const PHONE = /^(?:phone|cc_?sms)$/i

/** A merchant's own names may be any digits, but not grouped as on a card. */
const OWN_NAME = /^(?:code|reference|idempotency_id)$/

const META = /^(?:link_)?meta$/

/**
 * Names in `meta` that mean card data, each joined to the name of the object around it. All that is
 * in an object with such a name is card data too, however deep.
 */
const CARD_KEY = /card|_pan$|_cc(?:_|$|n)/
const CODE_KEY = /_(?:card_?)?(?:cvv|cvc|cvn|security_?code)2?$/
const BANK_KEY = /bank_?acc(?:oun)?t(?:_?(?:no|num|number))?$|_iban$/

const CODE = /^\s*\d{3,4}\s*$/
const BANK_ACCOUNT = /\d{6}/

/** Only this much of the outer name is searched, since it is searched again for each field. */
const MOST_OUTER = 64

/** The depth in a body: a list of objects, and their fields. */
const MOST_DEPTH = 4

/**
 * More text than all fields of a body may hold together. Looking through it takes milliseconds, and
 * through a body of a mebibyte it would delay every other caller of the process.
 */
const MOST_CHARACTERS = 64 * 1024

const TOO_LONG = `is too long: all text of a body together is ${MOST_CHARACTERS} characters at most`

/** How many characters may still be looked through, and the field where they are used up. */
interface Budget {
  left: number
  field: string
}

/** The fault of a field with such a number. */
export const HOLDS_NUMBER = ['must not hold the number of a card or a bank account']

export function refuseCardData(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body, caller, routeOptions }: FastifyRequest) => {
    if (caller === undefined || routeOptions.schema?.body === undefined) return
    const field = cardDataIn(body, caller.mode)
    if (field === undefined) return
    const isForIt = NUMBERS.includes(field)
    throw new Refusal(
      'card_data_not_accepted',
      isForIt ? {} : { faults: { [field]: HOLDS_NUMBER } },
    )
  })
}

/** Returns the name of the field with a number. Throws if there is too much text to look through. */
function cardDataIn(body: unknown, mode: Mode): string | undefined {
  const budget = { left: MOST_CHARACTERS, field: '' }
  const found = Object.entries(body ?? {}).find(([name, value]) => {
    budget.field = name
    if (NUMBERS.includes(name)) return mode === 'live' && (value ?? '') !== ''
    if (META.test(name) && isInMeta(value, budget)) return true
    // The texts of a payment link are shown to everybody.
    return name !== 'meta' && isInText(name, value, MOST_DEPTH, budget)
  })
  return found?.[0]
}

/** Lists are searched too, such as shares with a memo each. */
function isInText(name: string, value: unknown, depth: number, budget: Budget): boolean {
  if (depth === 0) return false
  if (Array.isArray(value)) return value.some((one) => isInText(name, one, depth - 1, budget))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).some(([inner, one]) => isInText(inner, one, depth - 1, budget))
  }
  if (OWN_NAME.test(name)) return isText(value, holdsGroupedCardNumber, budget)
  if (PHONE.test(name)) return isText(value, holdsCardInPhone, budget)
  return FREE_TEXT.test(name) && isText(value, holdsCardNumber, budget)
}

/** No telephone number is refused. Other digits count together, however they are punctuated. */
function holdsCardInPhone(text: string): boolean {
  return [text, text.replace(/\D/g, '')].some(holdsCardNumber) && toE164(text) === undefined
}

/** Without recursion, because the depth is checked only later. */
function isInMeta(meta: unknown, budget: Budget): boolean {
  const places: MetaPlace[] = [{ key: '', name: '', isOfCard: false, value: meta }]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { key: outer, isOfCard, value } = place
    if (typeof value !== 'object' || value === null) {
      if (isInValue(place, budget)) return true
      continue
    }
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value)) {
      if (isText(key, holdsGroupedCardNumber, budget)) return true
      const name = nameOf(`${outer.slice(-MOST_OUTER)}_${key}`)
      const isCard = isOfCard || CARD_KEY.test(name)
      places.push(
        isList ? { ...place, value: inner } : { key, name, isOfCard: isCard, value: inner },
      )
    }
  }
  return false
}

interface MetaPlace {
  readonly key: string
  /** The key after that of the object around it. */
  readonly name: string
  /** One of the names on the way to it means a card. */
  readonly isOfCard: boolean
  readonly value: unknown
}

function nameOf(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase()
}

function isInValue({ name, isOfCard, value }: MetaPlace, budget: Budget): boolean {
  return (
    isText(value, holdsGroupedCardNumber, budget) ||
    (isOfCard && isText(value, holdsCardNumber, budget)) ||
    (CODE_KEY.test(name) && isText(value, (text) => CODE.test(text), budget)) ||
    (BANK_KEY.test(name) && isText(value, (text) => BANK_ACCOUNT.test(text), budget))
  )
}

function isText(value: unknown, holds: (text: string) => boolean, budget: Budget): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const text = String(value)
  budget.left -= text.length
  if (budget.left < 0) {
    throw wrongField(budget.field, TOO_LONG)
  }
  return holds(text)
}
