// The fields of a payment link: their typed values, their faults, and the link that they make.

import { type Cents, toDecimal } from '../../core/money.ts'
import { isWebAddress, LONGEST_WEB_ADDRESS } from '../../core/text.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { isEditableTotal, type LinkChange, type NewLink } from '../../links/link.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import {
  type FilledForm,
  FlagField,
  type FormFaults,
  fieldsOf,
  TextField,
} from '../parts/fields.tsx'
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
const LONGEST_AMOUNT = 40

/** As they were typed. A browser does not send an unticked box. */
export function typedLink(form: Form) {
  return {
    name: wholeLine(form.name, LONGEST_NAME),
    amount: lineOf(form.amount, LONGEST_AMOUNT),
    memo: wholeLine(form.memo, LONGEST_MEMO),
    redirect: wholeLine(form.redirect, LONGEST_WEB_ADDRESS),
    editable: form.editable === 'on' ? 'on' : 'off',
  }
}

type TypedLink = ReturnType<typeof typedLink>

/** The values of the form when nothing is changed. */
export function typedOfLink({ commonName, amount, linkMeta }: PaymentLink): TypedLink {
  const { memo, successRedirect, isTotalEditable } = settingsOf(linkMeta)
  return {
    name: lineOf(commonName, LONGEST_NAME),
    amount: amount === null ? '' : toDecimal(amount).toFixed(2),
    memo: lineOf(textOf(memo), LONGEST_MEMO),
    redirect: lineOf(textOf(successRedirect), LONGEST_WEB_ADDRESS),
    editable: isEditableTotal(isTotalEditable) ? 'on' : 'off',
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
    redirect: lengthFault(redirect, LONGEST_WEB_ADDRESS) ?? addressFault(redirect),
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
      ...(typed.editable === 'on' ? { isTotalEditable: true } : {}),
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
    ...(typed.editable === shown.editable ? {} : { isTotalEditable: typed.editable === 'on' }),
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
  const changed = FIELDS.filter((name) => before[name] !== after[name])
  return Object.fromEntries(
    changed.map((name) => [
      name === 'editable' ? 'payer may change the amount' : name,
      `${before[name] || 'none'} → ${after[name] || 'none'}`,
    ]),
  )
}

const FIELDS = ['name', 'amount', 'memo', 'redirect', 'editable'] as const

export function LinkFields(filled: FilledForm) {
  const field = fieldsOf(filled)
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
      <FlagField
        name="editable"
        label="The payer may change the amount"
        isSet={filled.typed.editable === 'on'}
      />
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
        longest={LONGEST_WEB_ADDRESS}
      />
    </>
  )
}
