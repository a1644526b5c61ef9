// One invoice: its facts and lines, the page where it is paid, its payments, its actions, and its
// story.

import type { MessageChannel } from '../../core/delivery.ts'
import { obstacleToDeletion, obstacleToPayment } from '../../core/invoice.ts'
import { toDecimal } from '../../core/money.ts'
import { balanceOf, billAddress } from '../../invoices/invoice.ts'
import { findBilledInvoice } from '../../invoices/list-invoices.ts'
import { LONGEST_NOTE } from '../../operators/note.ts'
import { paymentsOwned } from '../../payments/anywhere/owned.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { CustomerLink } from '../customers/list.tsx'
import { ActionCard } from '../parts/action-form.tsx'
import {
  ChoiceField,
  FormFault,
  fieldsOf,
  filledForm,
  refusalWords,
  TextField,
} from '../parts/fields.tsx'
import { detailsInMeta, MetaLines } from '../parts/meta-lines.tsx'
import type { ObjectPage, Shown as ShownPage } from '../parts/object-page.tsx'
import { usePageOperator } from '../parts/page-operator.ts'
import { mayActForPayer } from '../parts/payers-pages.ts'
import { MOST_ON_A_PAGE, Payments } from '../parts/payments.tsx'
import { SendForms, waysTo } from '../parts/send-forms.tsx'
import {
  CHANNEL_WORDS,
  CopyableText,
  dollarText,
  FactCard,
  type Facts,
  Id,
  OwnId,
  TeamOf,
} from '../parts/shown.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { invoicePath, schedulePath } from '../paths.ts'
import { ChangeInvoiceForm, INVOICE_ACTIONS, type InvoiceAt } from './actions.tsx'
import { InvoiceStateWord } from './list.tsx'
import { invoiceStory } from './story.ts'

export const ONE_INVOICE: ObjectPage<ObjectParams, InvoiceAt> = {
  place: 'invoices',
  async find(world, params) {
    const { account, found } = await namedInAccount(world, params, 'invoice', findBilledInvoice)
    return { account, invoice: found }
  },
  title: ({ invoice }) => `Invoice for ${dollarText(invoice.total)}`,
  async body(shown) {
    const { world, operator, refused } = shown
    const { account, invoice } = shown.found
    const owned = { accountId: account.id, owner: 'invoice_id', id: invoice.id } as const
    const [payments, story] = await Promise.all([
      paymentsOwned(world, owned, MOST_ON_A_PAGE),
      invoiceStory(world, invoice, operator),
    ])
    const details = detailsInMeta(invoice)
    return (
      <>
        <FormFault text={refused?.faults.form} />
        <FactCard of={factsOf(shown.found)} />
        {invoice.deletedAt !== null ? null : <Address address={billAddress(world, invoice)} />}
        <MetaLines title="What it bills" details={details} total={invoice.total} />
        <Actions {...shown} hasLines={details.items.length > 0} />
        <Payments payments={payments} id={invoice.id} what="this invoice" />
        <Timeline entries={story} clockAt={account.clockAt} />
      </>
    )
  },
  actions: INVOICE_ACTIONS,
  faultsBy: (error) => ({ form: refusalWords(error, 'Nothing was done') }),
}

function Address({ address }: { address: string }) {
  return (
    <section class="card stack" aria-labelledby="address-title">
      <h2 id="address-title">Address for the customer</h2>
      {mayActForPayer(usePageOperator()) ? (
        <>
          <CopyableText id="address" text={address} />
          <p>
            <a href={address}>Open the bill</a>{' '}
            <span class="quiet">Opening it counts as viewed.</span>
          </p>
        </>
      ) : (
        <p class="quiet">Hidden from your role: the address lets anyone act as the customer.</p>
      )}
    </section>
  )
}

function factsOf({ account, invoice }: InvoiceAt): Facts {
  const schedule = invoice.scheduleId
  return {
    State: <InvoiceStateWord status={invoice.status} />,
    Total: invoice.total,
    'Still due': balanceOf(invoice),
    Customer: <CustomerLink of={invoice.customer} />,
    Team: <TeamOf account={account} />,
    'Due (UTC)': invoice.payBy,
    'Created (UTC)': invoice.createdAt,
    'Sent (UTC)': invoice.sentAt,
    'Viewed (UTC)': invoice.viewedAt,
    'Paid (UTC)': invoice.paidAt,
    'Next retry (UTC)': invoice.retryAt,
    'Deleted (UTC)': invoice.deletedAt,
    Schedule:
      schedule === null ? null : (
        <Id id={schedule} to={schedulePath({ accountId: invoice.accountId, id: schedule })} />
      ),
    Id: <OwnId id={invoice.id} />,
  }
}

type Shown = ShownPage<InvoiceAt>

function Actions(props: Shown & { readonly hasLines: boolean }) {
  const { invoice } = props.found
  const isPayable = obstacleToPayment(invoice) === undefined
  const isDeletable = invoice.deletedAt === null && obstacleToDeletion(invoice) === undefined
  if (!isPayable && !isDeletable) return null
  return (
    <div class="columns">
      {isPayable ? <SendInvoice {...props} /> : null}
      {isPayable ? <RecordForm {...props} /> : null}
      {isPayable ? <ChangeInvoiceForm {...props} /> : null}
      {isDeletable ? <DeleteForm {...props} /> : null}
    </div>
  )
}

function SendInvoice({ found: { account, invoice }, formKey }: Shown) {
  const { customer, sentAt } = invoice
  const ways = customer.deletedAt === null ? waysTo(customer, account) : []
  const wordsOf = (channel: MessageChannel) => `Send by ${CHANNEL_WORDS[channel]}`
  return (
    <section class="card stack" aria-labelledby="send">
      <h2 id="send">{sentAt === null ? 'Send the invoice' : 'Send the invoice again'}</h2>
      {ways.length === 0 ? (
        <p class="quiet">
          The customer has no address to send it to. Copy the address of the bill instead.
        </p>
      ) : null}
      <SendForms path={`${invoicePath(invoice)}/send`} {...{ formKey, ways, wordsOf }} isUsual />
    </section>
  )
}

function RecordForm({ found: { invoice }, formKey, refused }: Shown) {
  const left = balanceOf(invoice)
  const due = dollarText(left)
  const field = fieldsOf(filledForm(refused, 'record'))
  return (
    <ActionCard
      title="Record a payment by hand"
      id="record"
      to={`${invoicePath(invoice)}/record`}
      asks={`Record that ${due} was paid by hand? This can’t be undone.`}
      says="An invoice is paid in full. No gateway is involved."
      button={`Record ${due} as paid`}
      fields={{ key: formKey, total: toDecimal(left).toFixed(2) }}
    >
      <ChoiceField {...field('method')} label="Method" choices={['cash', 'check']} />
      <TextField
        {...field('note')}
        label="Note"
        longest={LONGEST_NOTE}
        placeholder="Such as the number of the check"
      />
    </ActionCard>
  )
}

function DeleteForm({ found: { invoice } }: Shown) {
  return (
    <ActionCard
      title="Delete the invoice"
      id="delete"
      to={`${invoicePath(invoice)}/delete`}
      asks="Delete this invoice? It can’t be paid any more. A deletion can’t be undone."
      says="It can no longer be paid, and failed payments are not retried."
      button="Delete invoice"
      kind="danger"
    />
  )
}
