// The form for a new invoice: first its customer, then its amounts; and what it makes.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { knownCustomer } from '../../customers/find-customer.ts'
import type { RowKey } from '../../db/columns.ts'
import type { InCommit } from '../../db/queries.ts'
import type { Customer } from '../../generated/client.ts'
import { createInvoice } from '../../invoices/create-invoice.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import { auditInCommit, keyOfForm, namedInAccount, operatorContext } from '../account-of.ts'
import { type FoundCustomer, searchCustomers } from '../customers/list.tsx'
import { ActionForm } from '../parts/action-form.tsx'
import {
  type FilledForm,
  FilterForm,
  FormFault,
  fieldsOf,
  filledForm,
  madeOnce,
  TextField,
} from '../parts/fields.tsx'
import type { FoundRows } from '../parts/found-rows.ts'
import type { Acting, ObjectPage, Outcome } from '../parts/object-page.tsx'
import { Pager } from '../parts/pager.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { TEAM_COLUMN } from '../parts/rows-of-teams.tsx'
import { Id, personName } from '../parts/shown.tsx'
import { isFaulty } from '../parts/typed.ts'
import { customerPath, INVOICES_PATH, invoicePath } from '../paths.ts'
import { pathWith, type QueryParams, queryOf } from '../query.ts'
import { sendByOperator } from './actions.tsx'
import { LINES, LONGEST_TEXT, readInvoiceForm, typedInvoice } from './fields.ts'
import { NEW_INVOICE_PATH } from './list.tsx'

interface Billed {
  readonly account: AccountWithTeam
  readonly customer: Customer
}

/** The customer whom the address names, or those from whom to choose. */
type Addressed = { readonly billed: Billed } | { readonly found: FoundRows<FoundCustomer> }

export const NEW_INVOICE: ObjectPage<unknown, Addressed> = {
  place: 'invoices',
  path: 'invoices/new',
  async find(world, _params, request) {
    const query = queryOf(request)
    const { account = '', customer } = query
    if (customer === undefined) return { found: await searchCustomers(world, query) }
    const named = { account, id: customer }
    const { account: owner, found } = await namedInAccount(world, named, 'customer', knownCustomer)
    return { billed: { account: owner, customer: found } }
  },
  title: (at) =>
    'billed' in at ? `New invoice for ${personName(at.billed.customer)}` : 'New invoice',
  body({ found: at, query, formKey, refused }) {
    if ('found' in at) return <ChooseCustomer query={query} found={at.found} />
    return <NewInvoiceForm {...at.billed} {...filledForm(refused, '')} formKey={formKey} />
  },
  submit: makeInvoice,
  faultsBy: (error) => madeOnce(error, 'An invoice'),
}

async function makeInvoice(acting: Acting<Addressed>): Promise<Outcome> {
  const { world, request, form, found: at } = acting
  if ('found' in at) throw incompleteForm()
  const key = keyOfForm(form)
  const { account, customer } = at.billed
  const { faults, input } = readInvoiceForm(typedInvoice(form))
  if (isFaulty(faults)) return { faults }
  const detail = { total: toDecimal(input.total), customer: customer.id }
  const record: InCommit<[string]> = (query, id) =>
    auditInCommit(acting, account, 'invoice made', id, detail)(query)
  const context = { ...operatorContext(request, account, key), record }
  const made = await createInvoice(world, context, { ...input, customerId: customer.id })
  const { id } = JSON.parse(made.body) as { readonly id: string }
  const isToSend = form.send === 'email'
  const done = isToSend ? await sent(acting, account, { id, key }) : 'The draft is made.'
  return { done, path: invoicePath({ accountId: account.id, id }) }
}

/** The invoice is there by now, so its page says why it was not sent. */
async function sent(
  acting: Acting<Addressed>,
  account: AccountWithTeam,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<string> {
  try {
    return await sendByOperator(acting, account, { id, channel: 'email', key })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `The draft is made, but it was not sent: ${error.message}.`
  }
}

interface ChooseProps {
  readonly query: QueryParams
  readonly found: FoundRows<FoundCustomer>
}

function ChooseCustomer({ query, found }: ChooseProps) {
  const { rows, faults = {}, note, ...pager } = found
  const isFiltered = query.q !== undefined || query.team !== undefined
  const field = fieldsOf({ typed: query, faults })
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
  { head: 'E-mail', class: 'says', cell: ({ email }) => email },
  TEAM_COLUMN,
  { head: 'Id', cell: (row) => <Id id={row.id} /> },
]

export function formPath({ accountId, id }: RowKey): string {
  return pathWith(NEW_INVOICE_PATH, {}, { account: accountId, customer: id })
}

function NewInvoiceForm(props: Billed & FilledForm & { readonly formKey: string }) {
  const { account, customer, typed, faults, formKey } = props
  const field = fieldsOf({ typed, faults })
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
