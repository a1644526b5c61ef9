// The form for a new invoice: first its customer, then its amounts; and what it makes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { knownCustomer } from '../../customers/find-customer.ts'
import type { RowKey } from '../../db/columns.ts'
import type { Customer } from '../../generated/client.ts'
import { createInvoice } from '../../invoices/create-invoice.ts'
import { formOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { auditAction, keyOfForm, namedInAccount, operatorContext } from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { type FoundCustomer, searchCustomers } from '../customers/list.tsx'
import { redirectDone } from '../done.ts'
import { ActionForm } from '../parts/action-form.tsx'
import { FilterForm, FormFault, type FormFaults, fieldsOf, TextField } from '../parts/fields.tsx'
import type { FoundRows } from '../parts/found-rows.ts'
import { Pager } from '../parts/pager.tsx'
import { type Column, RowTable, TEAM_COLUMN } from '../parts/row-table.tsx'
import { Dash, Id, personName } from '../parts/shown.tsx'
import { isFaulty } from '../parts/typed.ts'
import { customerPath, INVOICES_PATH, invoicePath } from '../paths.ts'
import { pathWith, type QueryParams, queryOf } from '../query.ts'
import { sendByOperator } from './actions.ts'
import { LINES, LONGEST_TEXT, readInvoiceForm, type TypedInvoice, typedInvoice } from './fields.ts'
import { NEW_INVOICE_PATH } from './list.tsx'

export function newInvoicePages(own: FastifyInstance, world: World): void {
  own.get('/invoices/new', async (request, reply) => {
    if (queryOf(request).customer === undefined) return answerChoice(world, reply)
    const billed = await billedOf(world, request)
    return answerForm(world, reply, { ...billed, typed: {}, faults: {} })
  })
  own.post('/invoices/new', (_request, reply) => answerNewInvoice(world, reply))
}

async function answerChoice(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const query = queryOf(reply.request)
  const found = await searchCustomers(world, query)
  return answerConsole(
    reply,
    { title: 'New invoice', place: 'invoices' },
    <ChooseCustomer query={query} found={found} />,
  )
}

interface Billed {
  readonly account: AccountWithTeam
  readonly customer: Customer
}

/** The customer whom the address names. */
async function billedOf(world: World, request: FastifyRequest): Promise<Billed> {
  const { account: accountId = '', customer: customerId = '' } = queryOf(request)
  const named = { account: accountId, id: customerId }
  const { account, found } = await namedInAccount(world, named, 'customer', knownCustomer)
  return { account, customer: found }
}

function answerForm(
  world: World,
  reply: FastifyReply,
  shown: Omit<NewInvoiceProps, 'formKey'>,
  formKey = world.newId(),
): FastifyReply {
  return answerConsole(
    reply,
    {
      title: `New invoice for ${personName(shown.customer)}`,
      place: 'invoices',
      faults: shown.faults,
    },
    <NewInvoiceForm {...shown} formKey={formKey} />,
  )
}

async function answerNewInvoice(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const form = formOf(request)
  const key = keyOfForm(form)
  const billed = await billedOf(world, request)
  const { account, customer } = billed
  const typed = typedInvoice(form)
  const { faults, input } = readInvoiceForm(typed)
  if (isFaulty(faults)) {
    return answerForm(world, reply, { ...billed, typed, faults }, key)
  }
  const context = operatorContext(request, account, key)
  try {
    const made = await createInvoice(world, context, { ...input, customerId: customer.id })
    const { id } = JSON.parse(made.body) as { readonly id: string }
    if (!made.isReplayed) {
      const detail = { total: toDecimal(input.total), customer: customer.id }
      await auditAction({ world, request }, account, 'invoice made', id, detail)
    }
    const isToSend = form.send === 'email'
    const words = isToSend ? await sent(world, request, account, { id, key }) : 'The draft is made.'
    return redirectDone(world, reply, invoicePath({ accountId: account.id, id }), words)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'idempotency_conflict') throw error
    const conflict = 'An invoice was made with this form before. Send it again to make another one.'
    return answerForm(world, reply, { ...billed, typed, faults: { form: conflict } })
  }
}

/** The invoice is there by now, so its page says why it was not sent. */
async function sent(
  world: World,
  request: FastifyRequest,
  account: AccountWithTeam,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<string> {
  try {
    return await sendByOperator({ world, request }, account, { id, channel: 'email', key })
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

interface NewInvoiceProps {
  readonly account: AccountWithTeam
  readonly customer: Customer
  readonly typed: TypedInvoice
  readonly faults: FormFaults
  /** Made with the form, so that sending it twice makes one invoice. */
  readonly formKey: string
}

function NewInvoiceForm(props: NewInvoiceProps) {
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
