// The pages of invoices: the list, the way to a new one, and one invoice with its actions.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { toDecimal } from '../../core/money.ts'
import { knownCustomer } from '../../customers/find-customer.ts'
import type { Customer } from '../../generated/client.ts'
import { createInvoice } from '../../invoices/create-invoice.ts'
import { billAddress } from '../../invoices/invoice.ts'
import { findBilledInvoice } from '../../invoices/list-invoices.ts'
import { paymentsOwned } from '../../payments/anywhere/owned.ts'
import { formOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import {
  auditAction,
  keyOfForm,
  namedInAccount,
  type ObjectParams,
  operatorContext,
} from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { searchCustomers } from '../customers/list.tsx'
import { redirectDone } from '../done.ts'
import {
  INVOICE_ACTIONS,
  type InvoiceAt,
  sendByOperator,
  typedRecord,
} from '../invoices/actions.ts'
import { typedInvoiceChange } from '../invoices/change.tsx'
import { readInvoiceForm, typedInvoice } from '../invoices/fields.ts'
import { INVOICE_LIST } from '../invoices/list.tsx'
import { ChooseCustomer, NewInvoiceForm, type NewInvoiceProps } from '../invoices/new.tsx'
import { OneInvoice, type RefusedInvoiceForm } from '../invoices/one.tsx'
import { invoiceStory } from '../invoices/story.ts'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { MOST_ON_A_PAGE } from '../parts/payments.tsx'
import { dollarText, personName } from '../parts/shown.tsx'
import { isFaulty } from '../parts/typed.ts'
import { invoicePath } from '../paths.ts'
import { queryOf } from '../query.ts'

export function invoicePages(own: FastifyInstance, world: World): void {
  addListPage(own, world, INVOICE_LIST)
  own.get('/invoices/new', async (request, reply) => {
    if (queryOf(request).customer === undefined) return answerChoice(world, reply)
    const billed = await billedOf(world, request)
    return answerForm(world, reply, { ...billed, typed: {}, faults: {} })
  })
  own.post('/invoices/new', (_request, reply) => answerNewInvoice(world, reply))
  addDetailPage(own, world, ONE_INVOICE)
}

const ONE_INVOICE: DetailPage<ObjectParams, InvoiceAt, RefusedInvoiceForm> = {
  place: 'invoices',
  async find(world, params) {
    const { account, found } = await namedInAccount(world, params, 'invoice', findBilledInvoice)
    return { account, invoice: found }
  },
  title: ({ invoice }) => `Invoice for ${dollarText(invoice.total)}`,
  async body({ world, found: { account, invoice }, operator, refused }) {
    const owned = { accountId: account.id, owner: 'invoice_id', id: invoice.id } as const
    const [payments, story] = await Promise.all([
      paymentsOwned(world, owned, MOST_ON_A_PAGE),
      invoiceStory(world, invoice, operator),
    ])
    const address = billAddress(world, invoice)
    const shown = { account, invoice, address, payments, story, refused }
    return <OneInvoice {...shown} formKey={world.newId()} />
  },
  actions: INVOICE_ACTIONS,
  // The message of a code is part of a sentence; words about a field are a whole one.
  refusedBy: ({ code, message }, { form }) => ({
    fault: code === 'invalid_request' ? message : `Nothing was done: ${message}.`,
    ...typedRecord(form),
    ...typedInvoiceChange(form),
  }),
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
