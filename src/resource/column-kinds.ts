// The kinds of columns that requests write. Resources are declared with them.

import { toDecimal } from '../core/money.ts'
import type { Prisma } from '../generated/client.ts'
import { type Schema, Type } from './json-schema.ts'
import { centsOf, isFlagSet, openCentsOf } from './read-values.ts'
import { answerField, flag, id, meta, money, note, openMoney, text } from './schemas.ts'

type Sent<S> = S extends Schema<infer T> ? T : never

/** Text that may be absent: null in the row and in answers. */
function textual<T extends string>(sent: Schema<T>) {
  return { sent, initial: null, shown: answerField.textOrNull }
}

export const column = {
  textual,
  text: (description: string) => textual(text(description)),
  note: (description: string) => textual(note(description)),

  requiredText: (description: string) => ({ sent: text(description), shown: answerField.text }),

  flag: (description: string, initial: boolean) => {
    const sent = flag(description)
    return {
      sent,
      read: (value: Sent<typeof sent>) => isFlagSet(value),
      initial,
      shown: answerField.flag,
    }
  },

  money: (description: string) => ({
    sent: money(description),
    read: centsOf,
    shown: answerField.amount,
    show: toDecimal,
  }),

  /** An amount that may be left open, which is null. */
  openMoney: (sent: string, answered: Schema<number | null>) => ({
    sent: openMoney(sent),
    read: openCentsOf,
    initial: null,
    shown: answered,
    show: (cents: bigint | null) => (cents === null ? null : toDecimal(cents)),
  }),

  /** Another row, or none: a change that removes it is read as null. */
  optionalId: (description: string) => ({
    sent: Type.Unsafe<string | null>(id(description)),
    read: (sent: string | null) => sent?.toLowerCase() ?? null,
    initial: null,
    shown: answerField.idOrNull,
  }),

  /** JSON of the caller. */
  meta: (sent: Schema<Record<string, unknown>> = meta) => ({
    sent,
    read: (value: Record<string, unknown>) => value as Prisma.JsonObject,
    initial: {},
    shown: answerField.meta,
  }),
}

export const ADDRESS = {
  address_1: column.text('Street.'),
  address_2: column.text('Second line.'),
  address_city: column.text('City.'),
  address_state: column.text('State.'),
  address_zip: column.text('ZIP or postal code.'),
  address_country: column.text('Country.'),
}

export const ADDRESS_NAMES = Object.keys(ADDRESS) as readonly (keyof typeof ADDRESS)[]
