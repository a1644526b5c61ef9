// Reads a payment link for its page, by its id alone.

import { gatheredStatement } from '../db/gathered.ts'
import type { PaymentLink } from '../generated/client.ts'
import { isEditableTotal, linkColumns } from '../links/link.ts'
import { PAYEE_COLUMNS, PAYEE_JOIN, type Payee, readPayee } from './payee.ts'

export interface LinkPage {
  readonly payee: Payee
  readonly link: PaymentLink
}

export const readLinkPage = gatheredStatement({
  name: 'read-link-page',
  columns: { id: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${linkColumns.list}, ${PAYEE_COLUMNS}
    FROM input i
    JOIN payment_link_name n ON n.id = i.id::char(32)
    JOIN payment_link l ON l.account_id = n.account_id AND l.id = n.id
    JOIN account a ON a.id = n.account_id
    JOIN team t ON t.id = a.team_id ${PAYEE_JOIN}`,
  read: (row): LinkPage => ({ payee: readPayee(row), link: linkColumns.read(row) }),
})

/** Reads the settings of the page. Other keys belong to the merchant. */
export function linkPageSettings({ linkMeta }: PaymentLink) {
  const meta = linkMeta as Readonly<Record<string, unknown>>
  const { memo, successRedirect, isTotalEditable } = meta
  return {
    memo: typeof memo === 'string' && memo.trim() !== '' ? memo : undefined,
    redirect: redirectOf(successRedirect),
    isTotalEditable: isEditableTotal(isTotalEditable),
  }
}

/** Only http and https: `javascript:` would run code. */
function redirectOf(address: unknown): string | undefined {
  const isWeb = typeof address === 'string' && /^https?:\/\//i.test(address)
  return isWeb && URL.canParse(address) ? new URL(address).href : undefined
}
