// The fields of a payment link: their typed values, their faults, and the link that they make.

import { type Cents, toDecimal } from '../../core/money.ts'
import { isWebAddress } from '../../core/text.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { isEditableTotal, type LinkChange, type NewLink } from '../../links/link.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import { FlagField, type FormFaults, TextField } from '../parts/fields.tsx'
import {
  cardNumberFault,
  lengthFault,
  presentFaults,
  typedAmount,
  wholeLine,
} from '../parts/typed.ts'
import { AMOUNT_FAULT } from '../transactions/search.ts'

const LONGEST_NAME = 255
const LONGEST_MEMO = 1_000
const LONGEST_ADDRESS = 2_048
const LONGEST_AMOUNT = 40

/** As they were typed. A browser does not send an unticked box. */
export interface TypedLink {
  readonly name: string
  readonly amount: string
  readonly memo: string
  readonly redirect: string
  readonly isEditable: boolean
}

export const EMPTY_LINK: TypedLink = {
  name: '',
  amount: '',
  memo: '',
  redirect: '',
  isEditable: false,
}

export function typedLink(form: Form): TypedLink {
  return {
    name: wholeLine(form.name, LONGEST_NAME),
    amount: lineOf(form.amount, LONGEST_AMOUNT),
    memo: wholeLine(form.memo, LONGEST_MEMO),
    redirect: wholeLine(form.redirect, LONGEST_ADDRESS),
    isEditable: form.editable === 'on',
  }
}

/** The values of the form when nothing is changed. */
export function typedOfLink({ commonName, amount, linkMeta }: PaymentLink): TypedLink {
  const { memo, successRedirect, isTotalEditable } = settingsOf(linkMeta)
  return {
    name: lineOf(commonName, LONGEST_NAME),
    amount: amount === null ? '' : toDecimal(amount).toFixed(2),
    memo: lineOf(textOf(memo), LONGEST_MEMO),
    redirect: lineOf(textOf(successRedirect), LONGEST_ADDRESS),
    isEditable: isEditableTotal(isTotalEditable),
  }
}

type LinkSettings = Readonly<Record<string, unknown>>

function settingsOf(linkMeta: unknown): LinkSettings {
  return Object(linkMeta) as LinkSettings
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function linkFaults({ name, amount, memo, redirect }: TypedLink): FormFaults {
  const isAmount = amount === '' || typedAmount(amount) !== undefined
  return presentFaults({
    name:
      name === '' ? 'Enter a name.' : (lengthFault(name, LONGEST_NAME) ?? cardNumberFault(name)),
    amount: isAmount ? undefined : AMOUNT_FAULT,
    memo: lengthFault(memo, LONGEST_MEMO) ?? cardNumberFault(memo),
    redirect: lengthFault(redirect, LONGEST_ADDRESS) ?? addressFault(redirect),
  })
}

function addressFault(address: string): string | undefined {
  return isWebAddress(address) ? undefined : 'Enter an address that begins with https://.'
}

/** Null if the payer enters the amount. */
function amountOf({ amount }: TypedLink): Cents | null {
  return typedAmount(amount) ?? null
}

export function newLinkOf(typed: TypedLink): NewLink {
  return {
    commonName: typed.name,
    amount: amountOf(typed),
    active: true,
    linkMeta: {
      ...(typed.memo === '' ? {} : { memo: typed.memo }),
      ...(typed.redirect === '' ? {} : { successRedirect: typed.redirect }),
      ...(typed.isEditable ? { isTotalEditable: true } : {}),
    },
    meta: {},
  }
}

/**
 * Contains only fields with another text than before: a field shows no line breaks, which the memo
 * may have.
 */
export function linkChangeOf(link: PaymentLink, typed: TypedLink): LinkChange {
  const shown = typedOfLink(link)
  const settings = {
    ...(typed.memo === shown.memo ? {} : { memo: typed.memo || null }),
    ...(typed.redirect === shown.redirect ? {} : { successRedirect: typed.redirect || null }),
    ...(typed.isEditable === shown.isEditable ? {} : { isTotalEditable: typed.isEditable }),
  }
  return {
    ...(typed.name === shown.name ? {} : { commonName: typed.name }),
    ...(typed.amount === shown.amount ? {} : { amount: amountOf(typed) }),
    ...(Object.keys(settings).length === 0
      ? {}
      : { linkMeta: { ...settingsOf(link.linkMeta), ...settings } }),
  }
}

/** The old and the new values, for the audit log. */
export function changedFields(before: TypedLink, after: TypedLink): Record<string, string> {
  const names = ['name', 'amount', 'memo', 'redirect', 'isEditable'] as const
  const changed = names.filter((name) => before[name] !== after[name])
  const shown = (value: string | boolean) => (value === '' ? 'none' : String(value))
  return Object.fromEntries(
    changed.map((name) => [FIELD_NAMES[name], `${shown(before[name])} → ${shown(after[name])}`]),
  )
}

const FIELD_NAMES = {
  name: 'name',
  amount: 'amount',
  memo: 'memo',
  redirect: 'redirect',
  isEditable: 'payer may change the amount',
} as const

interface LinkFieldsProps {
  readonly typed: TypedLink
  readonly faults: FormFaults
}

export function LinkFields({ typed, faults }: LinkFieldsProps) {
  const field = (name: 'name' | 'amount' | 'memo' | 'redirect') => ({
    name,
    value: typed[name],
    fault: faults[name],
  })
  return (
    <>
      <TextField {...field('name')} label="Name" longest={LONGEST_NAME} isRequired />
      <TextField
        {...field('amount')}
        label="Amount"
        inputMode="decimal"
        placeholder="12.50"
        hint="Leave it empty to let the payer enter the amount."
      />
      <FlagField name="editable" label="The payer may change the amount" isSet={typed.isEditable} />
      <TextField
        {...field('memo')}
        label="Memo"
        longest={LONGEST_MEMO}
        hint="Shown to the payer."
      />
      <TextField
        {...field('redirect')}
        label="After the payment, go to"
        placeholder="https://…"
        longest={LONGEST_ADDRESS}
      />
    </>
  )
}
