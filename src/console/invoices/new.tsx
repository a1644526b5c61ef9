// The form for a new invoice: first its customer, then its amounts.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Customer } from '../../generated/client.ts'
import type { FoundCustomer } from '../customers/list.tsx'
import { ActionForm } from '../parts/action-form.tsx'
import { FilterForm, FormFault, type FormFaults, fieldsOf, TextField } from '../parts/fields.tsx'
import type { FoundRows } from '../parts/found-rows.ts'
import { Pager } from '../parts/pager.tsx'
import { type Column, RowTable, TEAM_COLUMN } from '../parts/row-table.tsx'
import { Dash, Id, personName } from '../parts/shown.tsx'
import { customerPath, INVOICES_PATH } from '../paths.ts'
import { pathWith, type QueryParams } from '../query.ts'
import { LINES, LONGEST_TEXT, type TypedInvoice } from './fields.ts'
import { NEW_INVOICE_PATH } from './list.tsx'

interface ChooseProps {
  readonly query: QueryParams
  readonly found: FoundRows<FoundCustomer>
}

export function ChooseCustomer({ query, found }: ChooseProps) {
  const { rows, faults = {}, note, ...pager } = found
  const isFiltered = query.q !== undefined || query.team !== undefined
  const field = fieldsOf(query, faults)
  return (
    <>
      <p class="quiet">Choose the customer who is to pay.</p>
      <FilterForm path={NEW_INVOICE_PATH} isFiltered={isFiltered}>
        <div class="wide">
          <TextField
            {...field('q')}
            type="search"
            label="Customer"
            placeholder="A part of a name, e-mail address or reference; a whole id"
          />
        </div>
        <TextField {...field('team')} label="Team" placeholder="Its name or id" />
      </FilterForm>
      {note === undefined ? null : <p class="note">{note}</p>}
      <RowTable
        title="Customers"
        columns={CUSTOMER_COLUMNS}
        rows={rows}
        whenEmpty={isFiltered ? 'Nothing matches.' : 'There are no customers yet.'}
      />
      <Pager path={NEW_INVOICE_PATH} {...pager} />
    </>
  )
}

const CUSTOMER_COLUMNS: readonly Column<FoundCustomer>[] = [
  { head: 'Customer', isMain: true, cell: (row) => <a href={formPath(row)}>{personName(row)}</a> },
  { head: 'E-mail', class: 'says', cell: ({ email }) => email ?? <Dash /> },
  TEAM_COLUMN,
  { head: 'Id', cell: (row) => <Id id={row.id} /> },
]

export function formPath({ accountId, id }: RowKey): string {
  return pathWith(NEW_INVOICE_PATH, {}, { account: accountId, customer: id })
}

export interface NewInvoiceProps {
  readonly account: AccountWithTeam
  readonly customer: Customer
  readonly typed: TypedInvoice
  readonly faults: FormFaults
  /** Made with the form, so that sending it twice makes one invoice. */
  readonly formKey: string
}

export function NewInvoiceForm(props: NewInvoiceProps) {
  const { account, customer, typed, faults, formKey } = props
  const field = fieldsOf(typed, faults)
  const { email } = customer
  return (
    <section class="card">
      <ActionForm to={formPath(customer)} class="stack" fields={{ key: formKey }}>
        <FormFault text={faults.form} />
        <p class="cut">
          For <a href={customerPath(customer)}>{personName(customer)}</a>{' '}
          <span class="quiet">{email}</span> from {account.team.name}{' '}
          <span class="quiet">{account.mode}</span>
        </p>
        <fieldset>
          <legend>Lines</legend>
          {LINES.map((n) => (
            <div key={n} class="bill-line">
              <TextField {...field(`item_${n}`)} label={`Item ${n}`} longest={LONGEST_TEXT} />
              <TextField
                {...field(`quantity_${n}`)}
                label="Quantity"
                inputMode="numeric"
                placeholder="1"
              />
              <TextField
                {...field(`price_${n}`)}
                label="Price of one"
                inputMode="decimal"
                placeholder="12.50"
              />
            </div>
          ))}
        </fieldset>
        <div class="filter-fields">
          <TextField
            {...field('total')}
            label="Total"
            inputMode="decimal"
            hint="Leave it empty if there are lines: they are added up."
          />
          <TextField {...field('due')} type="date" label="Due (UTC)" hint="May be left empty." />
        </div>
        <TextField {...field('memo')} label="Memo" hint="Shown to the customer." />
        <div class="row level">
          {email === null ? null : (
            <button type="submit" name="send" value="email">
              Create and send by e-mail
            </button>
          )}
          <button type="submit" class={email === null ? undefined : 'plain'}>
            Create draft
          </button>
          <a href={INVOICES_PATH}>Cancel</a>
        </div>
        {email === null ? (
          <p class="quiet">The customer has no e-mail address, so it can’t be sent by e-mail.</p>
        ) : null}
      </ActionForm>
    </section>
  )
}
